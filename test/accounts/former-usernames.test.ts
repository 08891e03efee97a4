import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { deleteExpiredAccountData } from '../../src/accounts/delete-expired.ts'
import { changeUsername } from '../../src/accounts/profile.ts'
import { isReserved } from '../../src/accounts/user.ts'
import { findUsernameProblem } from '../../src/accounts/usernames.ts'
import { listRoutes } from '../../src/app.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { signInBrowser } from '../support/site/sign-in.ts'

const db = new Database(env.DB, 15_000)
const DAY_MS = 86_400_000

const reservations = async (userId: string) =>
  (
    await env.DB.prepare(
      'SELECT look, reserved_until FROM former_usernames WHERE user_id = ?1 ORDER BY reserved_until, look',
    )
      .bind(userId)
      .all<{ look: string; reserved_until: number }>()
  ).results

describe('the former username of an account', () => {
  it('is reserved for 90 days, with every name that looks like it', async () => {
    const own = await account({ username: 'Grace-Hopper' })
    expect(await changeUsername(db, own.id, 'grace2')).toBe(true)
    const [reserved] = await reservations(own.id)
    const days = ((reserved?.reserved_until ?? 0) - Date.now()) / DAY_MS
    expect(Math.round(days)).toBe(90)
    const other = await account()
    for (const name of ['Grace-Hopper', 'grace_h0pper']) {
      expect(await findUsernameProblem(db, name, { now: Date.now() })).toBe('taken')
      expect(await changeUsername(db, other.id, name)).toBe(false)
      await expect(account({ username: name })).rejects.toThrow('UNIQUE constraint failed: users.username')
    }
  })

  it('can be taken back by its account, which frees the other name for 90 days later', async () => {
    const own = await account({ username: 'ada-lovelace' })
    await changeUsername(db, own.id, 'countess')
    expect(await findUsernameProblem(db, 'ada-lovelace', { now: Date.now(), ownId: own.id })).toBeNull()
    expect(await changeUsername(db, own.id, 'ada-lovelace')).toBe(true)
    expect((await reservations(own.id)).map(({ look }) => look)).toEqual(['countess'])
  })

  it('is free once the time is over, and cleanup forgets it', async () => {
    const own = await account({ username: 'alan-turing' })
    await changeUsername(db, own.id, 'alan2')
    await env.DB.prepare('UPDATE former_usernames SET reserved_until = ?2 WHERE user_id = ?1')
      .bind(own.id, Date.now() - 2_000)
      .run()
    expect(await findUsernameProblem(db, 'alan-turing', { now: Date.now() })).toBeNull()
    const other = await account()
    expect(await changeUsername(db, other.id, 'alan-turing')).toBe(true)
    await deleteExpiredAccountData(db, Date.now())
    expect(await reservations(own.id)).toEqual([])
  })

  it('is not reserved if only its letter case changes', async () => {
    const own = await account({ username: 'case-only' })
    await changeUsername(db, own.id, 'CASE-only')
    expect(await reservations(own.id)).toEqual([])
  })

  it('is one of at most ten', async () => {
    const own = await account({ username: 'many-0' })
    for (let n = 1; n <= 12; n++) {
      // Each is later than the one before.
      await env.DB.prepare(
        'UPDATE former_usernames SET reserved_until = reserved_until - 60000 WHERE user_id = ?1',
      )
        .bind(own.id)
        .run()
      await changeUsername(db, own.id, `many-name-${String.fromCharCode(97 + n)}`)
    }
    const names = (await reservations(own.id)).map(({ look }) => look)
    expect(names).toHaveLength(10)
    expect(names).not.toContain('many-o')
  })

  it('is refused by the form with the message of a taken name', async () => {
    const own = await account({ username: 'once-mine' })
    await changeUsername(db, own.id, 'now-other')
    const { browser } = await signInBrowser()
    const answer = await browser.submit('/account/username', { username: 'once-mine' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('is taken')
  })

  it('stays when its account is deleted, and so does the name that the account had then', async () => {
    const own = await account({ username: 'leaves-soon' })
    await changeUsername(db, own.id, 'leaves-now')
    await env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(own.id).run()
    const later = Date.now() + 91 * DAY_MS
    for (const name of ['leaves-soon', 'Leaves_N0w']) {
      expect(await findUsernameProblem(db, name, { now: Date.now() })).toBe('taken')
      await expect(account({ username: name })).rejects.toThrow('(reserved)')
      expect(await findUsernameProblem(db, name, { now: later })).toBeNull()
    }
    await deleteExpiredAccountData(db, later)
    expect((await account({ username: 'leaves-now' })).username).toBe('leaves-now')
  })
})

describe('a reserved username', () => {
  it.each(['admin', 'Regent', 'support', 'abuse', 'd0cs', 'Pr1vacy', 'sign_in', 'acc0unt', 'terms-2'])(
    'is refused: %s',
    async (name) => {
      expect(await findUsernameProblem(db, name, { now: Date.now() })).toBe('reserved')
    },
  )

  it('is the name of every route', async () => {
    const segments = (await listRoutes()).map(({ path }) => path.split('/')[1] ?? '')
    const names = new Set(segments.map((name) => name.replace(/\.\w+$/, '')))
    const usable = [...names].filter((name) => /^[\w-]{3,30}$/.test(name))
    expect(usable).toContain('docs')
    expect(usable.filter((name) => !isReserved(name))).toEqual([])
  })

  it.each(['ada', 'documentalist', 'apiary', 'rawhide'])(
    'is not every name that starts like one: %s',
    async (name) => {
      expect(await findUsernameProblem(db, name, { now: Date.now() })).toBeNull()
    },
  )
})
