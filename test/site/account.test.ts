import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { processDeletions } from '../../src/accounts/deletion/process-deletions.ts'
import { createKey, listKeys } from '../../src/accounts/keys/api-keys.ts'
import { Contents } from '../../src/documents/content/content-store.ts'
import worker from '../../src/index.ts'
import { Database } from '../../src/platform/database.ts'
import { type Account, account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { call, create, edit, read } from '../support/client.ts'
import { linkOf, mailing } from '../support/mail.ts'
import { Visitor } from '../support/visitor.ts'

/** An account whose owner is signed in, with the mail that is sent to anyone. */
async function signedIn(owner?: Account) {
  const own = owner ?? (await account())
  const { bindings, sent } = mailing()
  const visitor = new Visitor(bindings)
  await visitor.submit('/sign-in', { email: own.email })
  await visitor.open(linkOf(sent.shift()))
  return { own, visitor, sent, bindings }
}

const userRow = (id: string) => env.DB.prepare('SELECT * FROM users WHERE id = ?1').bind(id).first()

describe('the pages of an account', () => {
  it('are for sessions alone: a key makes no further keys, and deletes no account', async () => {
    const { id, key } = await account({ flags: 9 })
    const document = await create('x')
    const headers = { Authorization: key }
    const visitor = new Visitor()
    expect((await visitor.open('/account', { headers })).status).toBe(303)
    expect((await visitor.submit('/account/keys', { name: 'another' }, headers)).status).toBe(303)
    expect((await visitor.submit('/account/delete', { documents: 'delete' }, headers)).status).toBe(303)
    const remove = await visitor.submit(`/moderation/${document.id}/remove`, { reason: 'why' }, headers)
    expect(remove.status).toBe(303)
    const keys = 'SELECT count(*) AS n FROM api_keys WHERE user_id = ?1'
    expect(await env.DB.prepare(keys).bind(id).first('n')).toBe(1)
    expect((await read(document.id)).status).toBe(200)
  })

  it('say which methods they take, and lead who comes by a form’s address to the form', async () => {
    const { visitor } = await signedIn()
    expect((await visitor.submit('/account', {})).status).toBe(405)
    const back = await visitor.open('/account/delete')
    expect({ status: back.status, to: back.headers.get('Location') }).toEqual({ status: 303, to: '/account' })
  })

  it('are shown to whoever is signed in, whatever key comes along', async () => {
    const { own, visitor } = await signedIn()
    const other = await account()
    const page = await visitor.open('/account', { headers: { Authorization: other.key } })
    expect(await page.text()).toContain(own.email)
  })
})

it('tells whose address is not confirmed how to do that, and they can', async () => {
  const own = await account({ confirmed: false })
  const { visitor } = await signedIn(own)
  await env.DB.prepare('UPDATE users SET confirmed = 0 WHERE id = ?1').bind(own.id).run()
  expect(await (await visitor.open('/account')).text()).toContain('is not confirmed')
  const { visitor: again } = await signedIn(own)
  expect(await (await again.open('/account')).text()).not.toContain('not confirmed')
})

describe('API keys', () => {
  it('are made with a name, shown once, used, and revoked', async () => {
    const { visitor } = await signedIn()
    const made = await visitor.submit('/account/keys', { name: ' my <laptop> ' })
    expect(made.status).toBe(200)
    expect(made.headers.get('Cache-Control')).toBe('no-store')
    const page = await made.text()
    const key = /imperial_[A-Za-z0-9]{40}/.exec(page)?.[0] ?? ''
    expect(page).toContain('my &lt;laptop&gt;')
    await create('x', { public: true }, { key, settle: true })
    const after = await (await visitor.open('/account')).text()
    expect(after).not.toContain(key)
    expect(after.match(/never<\/td>/g)).toBeNull()
    const keyId = [...after.matchAll(/\/account\/keys\/([a-z0-9]{12})\/revoke/g)].at(0)?.[1] ?? ''
    const revoked = await visitor.submit(`/account/keys/${keyId}/revoke`)
    expect(revoked.headers.get('Location')).toBe('/account?done=revoked')
    expect((await call('POST', '/v1/document', { content: 'x' }, { key })).status).toBe(401)
  })

  it('are made once by a form that is sent twice, as by a reload of the answer', async () => {
    const { own, visitor } = await signedIn()
    const id =
      /name="id" value="([a-z0-9]{12})"/.exec(await (await visitor.open('/account')).text())?.[1] ?? ''
    const answers = [
      await visitor.submit('/account/keys', { id, name: 'laptop' }),
      await visitor.submit('/account/keys', { id, name: 'laptop' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 303])
    const back = answers[1]?.headers.get('Location') ?? ''
    expect(await (await visitor.open(back)).text()).toContain('made already')
    const keys = await listKeys(new Database(env.DB, 15_000), own.id)
    expect(keys.filter(({ name }) => name === 'laptop')).toHaveLength(1)
  })

  it('are nobody else’s to revoke', async () => {
    const { visitor: one } = await signedIn()
    const { visitor: other, own } = await signedIn()
    const row = await env.DB.prepare('SELECT id FROM api_keys WHERE user_id = ?1')
      .bind(own.id)
      .first<{ id: string }>()
    await one.submit(`/account/keys/${row?.id}/revoke`)
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key })).status).toBe(200)
    await other.submit(`/account/keys/${row?.id}/revoke`)
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key })).status).toBe(401)
  })

  it.each(['', '   ', 'x'.repeat(101)])('need a name of 1 to 100 characters: %j', async (name) => {
    const { visitor } = await signedIn()
    const answer = await visitor.submit('/account/keys', { name })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('1 to 100 characters')
  })

  it('are at most a hundred', async () => {
    const { visitor, own } = await signedIn()
    await env.DB.prepare(
      `INSERT INTO api_keys (key_hash, id, user_id, name, created_at)
        SELECT ?1 || value, ?1 || value, ?1, 'many', 0 FROM json_each(?2)`,
    )
      .bind(own.id, JSON.stringify(Array.from({ length: 98 }, (_, index) => index)))
      .run()
    const [first, second] = [
      await visitor.submit('/account/keys', { name: 'the hundredth' }),
      await visitor.submit('/account/keys', { name: 'one more' }),
    ]
    expect(first.status).toBe(200)
    expect(second.status).toBe(400)
    expect(await second.text()).toContain('a hundred keys')
  })

  it('stay revoked when D1 makes them once more, long after everyone gave up', async () => {
    const own = await account()
    const clock = vi.spyOn(Date, 'now')
    let late: () => Promise<unknown> = () => Promise.resolve()
    const bindings = bindingsWith(
      async (name, run) => {
        if (name !== 'DB.batch') return run()
        late = run
        return new Promise(() => {})
      },
      { STORAGE_TIMEOUT_MS: '250' },
    )
    // The deadline is some seconds ahead: a clock that was that far behind has it passed by now.
    clock.mockImplementation(() => performance.timeOrigin + performance.now() - 10_000)
    const making = createKey(new Database(bindings.DB, 250), own.id, { name: 'late', now: 0 })
    await expect(making).rejects.toMatchObject({ code: 'unavailable' })
    clock.mockRestore()
    await late()
    expect((await listKeys(new Database(env.DB, 15_000), own.id)).map(({ name }) => name)).toEqual(['test'])
  })

  it('tell when they were used, written down once an hour', async () => {
    const { own } = await signedIn()
    await env.DB.prepare('UPDATE api_keys SET last_used_at = NULL WHERE user_id = ?1').bind(own.id).run()
    const usedAt = () =>
      env.DB.prepare('SELECT last_used_at FROM api_keys WHERE user_id = ?1')
        .bind(own.id)
        .first<number>('last_used_at')
    await create('x', {}, { key: own.key, settle: true })
    const first = await usedAt()
    expect(Math.abs((first ?? 0) - Date.now())).toBeLessThan(60_000)
    await create('x', {}, { key: own.key, settle: true })
    expect(await usedAt()).toBe(first)
  })
})

describe('the profile', () => {
  it('takes another name, also one that looks like its own, and keys and sessions go on', async () => {
    const { own, visitor } = await signedIn()
    const wanted = own.username.toUpperCase()
    const answer = await visitor.submit('/account/username', { username: wanted })
    expect(answer.headers.get('Location')).toBe('/account?done=renamed')
    expect((await userRow(own.id))?.username).toBe(wanted)
    const { id } = await create('x', {}, { key: own.key })
    expect((await read(id)).body.data.creator).toMatchObject({ username: wanted })
    expect(await (await visitor.open('/account?done=renamed')).text()).toContain('You have a new name.')
  })

  it.each([
    ['x', '3 to 30'],
    ['Root', 'kept for the people'],
    ['taken-name', 'is taken'],
    ['TAKEN_NAME', 'is taken'],
  ])('refuses the name %s', async (username, words) => {
    await account({ username: 'taken-name' }).catch(() => null)
    const { own, visitor } = await signedIn()
    const answer = await visitor.submit('/account/username', { username })
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain(words)
    expect(page).toContain(`value="${username}"`)
    expect((await userRow(own.id))?.username).toBe(own.username)
  })

  it('gives a name to one of two who want it at once', async () => {
    const visitors = await Promise.all([signedIn(), signedIn()])
    const answers = await Promise.all(
      visitors.map(({ visitor }) => visitor.submit('/account/username', { username: 'wanted-by-two' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400])
  })
})

describe('the defaults for new documents', () => {
  it('are kept, shown, and what the form for a new document begins with', async () => {
    const { visitor } = await signedIn()
    const wanted = {
      language: 'python',
      expires: 'never',
      visibility: 'public',
      link: 'long',
      encryption: 'none',
    }
    const answer = await visitor.submit('/account/defaults', { ...wanted, image: 'yes' })
    expect(answer.headers.get('Location')).toBe('/account?done=defaults')
    for (const path of ['/account', '/']) {
      const page = await (await visitor.open(path)).text()
      expect(page).toContain('value="python"')
      expect(page).toMatch(/value="never" selected/)
      expect(page).toMatch(/value="long" selected/)
      expect(page).toMatch(/name="image" value="yes" checked/)
    }
  })

  it('are nothing that the form does not offer', async () => {
    const { own, visitor } = await signedIn()
    const answer = await visitor.submit('/account/defaults', { expires: 'tomorrow' })
    expect(answer.status).toBe(400)
    expect((await userRow(own.id))?.defaults).toBeNull()
  })
})

describe('the account page', () => {
  it('leads admins, and nobody else, to what was reported', async () => {
    const admin = await signedIn(await account({ flags: 9 }))
    expect(await (await admin.visitor.open('/account')).text()).toContain('href="/moderation"')
    const { visitor } = await signedIn()
    expect(await (await visitor.open('/account')).text()).not.toContain('/moderation')
  })
})

describe('another e-mail address', () => {
  const follow = async (visitor: Visitor, link: string) => {
    const [path = '', query = ''] = link.split('?')
    const page = await visitor.open(link)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Change the address')
    return visitor.submit(path, { token: new URLSearchParams(query).get('token') ?? '' })
  }

  it('is confirmed at the present one, then at the new one', async () => {
    const { own, visitor, sent } = await signedIn()
    const to = `new-${own.email}`
    await visitor.submit('/account/email', { email: to.toUpperCase() })
    expect(sent.map((mail) => mail.to)).toEqual([own.email])
    expect(sent[0]?.text).toContain(to)
    expect((await follow(visitor, linkOf(sent[0]))).status).toBe(200)
    expect(sent.map((mail) => mail.to)).toEqual([own.email, to])
    expect((await userRow(own.id))?.email).toBe(own.email)
    const done = await follow(visitor, linkOf(sent[1]))
    expect(done.headers.get('Location')).toBe('/account?done=email')
    expect(await userRow(own.id)).toMatchObject({ email: to, confirmed: 1 })
    expect(sent.map((mail) => mail.to)).toEqual([own.email, to, own.email])
    expect(sent[2]?.text).toContain(to)
  })

  it('uses each of its links once', async () => {
    const { own, visitor, sent } = await signedIn()
    await visitor.submit('/account/email', { email: `once-${own.email}` })
    const first = linkOf(sent[0])
    await follow(visitor, first)
    expect((await visitor.open(first)).status).toBe(400)
    const second = linkOf(sent[1])
    await follow(visitor, second)
    expect((await visitor.open(second)).status).toBe(400)
  })

  it('is changed by nobody else who has the link, and by no link of another kind', async () => {
    const { own, visitor, sent } = await signedIn()
    const { visitor: other } = await signedIn()
    await visitor.submit('/account/email', { email: `mine-${own.email}` })
    const link = linkOf(sent[0])
    expect((await other.open(link)).status).toBe(400)
    expect((await new Visitor().open(link)).status).toBe(303)
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    expect((await visitor.submit('/account/email/take-email', { token })).status).toBe(400)
    expect((await visitor.open(`/sign-in/link?token=${token}`)).status).toBe(400)
    expect((await userRow(own.id))?.email).toBe(own.email)
  })

  it('of somebody else stays theirs', async () => {
    const { own, visitor, sent } = await signedIn()
    const other = await account()
    await visitor.submit('/account/email', { email: other.email })
    await follow(visitor, linkOf(sent[0]))
    const refused = await follow(visitor, linkOf(sent[1]))
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('Another account has this address.')
    expect((await userRow(own.id))?.email).toBe(own.email)
  })

  it('is sent no more mails than any, however many accounts want it', async () => {
    const to = 'wanted-by-many@example.org'
    const reached: string[] = []
    let refused: { visitor: Visitor; token: string } | undefined
    for (let n = 0; n < 3; n++) {
      const { visitor, sent } = await signedIn()
      for (let asked = 0; asked < 5; asked++) {
        await visitor.submit('/account/email', { email: to })
        const token = new URLSearchParams(linkOf(sent.at(-1)).split('?')[1]).get('token') ?? ''
        const answer = await visitor.submit('/account/email/leave-email', { token })
        expect([200, 429]).toContain(answer.status)
        if (answer.status === 429) refused = { visitor, token }
      }
      reached.push(...sent.map((mail) => mail.to).filter((email) => email === to))
    }
    expect(reached).toHaveLength(10)
    // The link that could not be followed yet works later.
    await env.DB.prepare('DELETE FROM mails_sent WHERE email = ?1').bind(to).run()
    const later = await refused?.visitor.submit('/account/email/leave-email', { token: refused.token })
    expect(later?.status).toBe(200)
  })

  it.each(['nowhere', ''])('has to be one: %j', async (email) => {
    const { visitor, sent } = await signedIn()
    expect((await visitor.submit('/account/email', { email })).status).toBe(400)
    expect(sent).toEqual([])
  })
})

describe('signing out everywhere', () => {
  it('ends all sessions of the account, and no other', async () => {
    const { own, visitor } = await signedIn()
    const elsewhere = await signedIn(own)
    const other = await signedIn()
    await visitor.submit('/account/sign-out-everywhere')
    expect((await elsewhere.visitor.open('/account')).status).toBe(303)
    expect((await other.visitor.open('/account')).status).toBe(200)
    expect((await create('x', {}, { key: own.key })).creator).not.toBeNull()
  })
})

describe('deleting an account', () => {
  const documentsOf = async (key: string, count: number) => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) ids.push((await create(`text ${n}`, {}, { key })).id)
    return ids
  }

  it('deletes its documents, and all keys and sessions die at once', async () => {
    const { own, visitor } = await signedIn()
    const elsewhere = await signedIn(own)
    const ids = await documentsOf(own.key, 3)
    const answer = await visitor.submit('/account/delete', { documents: 'delete' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('Your documents are deleted, too.')
    for (const id of ids) expect((await read(id)).status).toBe(404)
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key })).status).toBe(401)
    expect((await elsewhere.visitor.open('/account')).status).toBe(303)
    expect(await userRow(own.id)).toBeNull()
    expect(
      (await env.CONTENTS.list()).keys.filter(({ metadata }) =>
        ids.includes(String((metadata as { document?: string })?.document)),
      ),
    ).toEqual([])
  })

  it('keeps its documents without a creator, for nobody to change', async () => {
    const { own, visitor } = await signedIn()
    const editor = await account()
    const { id } = await create('text 0', { editors: [editor.username] }, { key: own.key })
    const before = await read(id)
    await visitor.submit('/account/delete', { documents: 'keep' })
    const after = await read(id)
    expect(after.body.data).toMatchObject({ content: 'text 0', creator: null })
    expect(after.headers.get('ETag')).not.toBe(before.headers.get('ETag'))
    expect((await call('DELETE', `/v1/document/${id}`, undefined, { key: editor.key })).status).toBe(403)
    expect((await edit({ id, content: 'mine now' }, { key: editor.key })).status).toBe(403)
    expect((await read(id)).body.data.content).toBe('text 0')
  })

  it('lets nobody act for it, also by what a request under way still makes', async () => {
    const { own, visitor } = await signedIn()
    const db = new Database(env.DB, 15_000)
    await env.DB.prepare("UPDATE users SET leaving = 'delete' WHERE id = ?1").bind(own.id).run()
    expect((await visitor.open('/account')).status).toBe(303)
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key })).status).toBe(401)
    expect(await createKey(db, own.id, { name: 'late', now: 0 })).toEqual({ problem: 'full' })
  })

  it('is worked off though others wait for their gists', async () => {
    const waiting = Array.from({ length: 40 }, (_, n) => `0waiting${n}`)
    const insert = `INSERT INTO users (id, username, email, created_at, leaving)
      VALUES (?1, ?1, ?1 || '@example.org', 0, 'delete')`
    const gist = 'INSERT INTO gists (document_id, user_id, public, due_at) VALUES (?1, ?1, 0, 9e12)'
    await env.DB.batch(waiting.flatMap((id) => [insert, gist].map((sql) => env.DB.prepare(sql).bind(id))))
    const own = await account()
    await env.DB.prepare("UPDATE users SET leaving = 'keep' WHERE id = ?1").bind(own.id).run()
    const store = { db: new Database(env.DB, 15_000), contents: new Contents(env.CONTENTS, 15_000) }
    for (let run = 0; run < 40 && (await userRow(own.id)); run++) await processDeletions(store, () => true)
    expect(await userRow(own.id)).toBeNull()
    await env.DB.batch(
      ['gists WHERE user_id', 'users WHERE id'].map((rows) =>
        env.DB.prepare(`DELETE FROM ${rows} LIKE '0waiting%'`),
      ),
    )
  })

  it('asks what becomes of the documents', async () => {
    const { own, visitor } = await signedIn()
    await visitor.submit('/account/delete', { documents: 'whatever' })
    expect(await userRow(own.id)).not.toBeNull()
  })

  it('frees name and address for others', async () => {
    const { own, visitor } = await signedIn()
    await visitor.submit('/account/delete', { documents: 'delete' })
    await expect(account({ username: own.username })).resolves.toBeDefined()
  })

  it('goes on where it was cut off, and nobody gets in meanwhile', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const { own, visitor } = await signedIn()
    const ids = await documentsOf(own.key, 2)
    // The first transaction of the deletion takes effect, and then storage is gone.
    let batches = 0
    const faulty = bindingsWith(async (name, run) => {
      if (name === 'DB.batch') batches += 1
      if (batches > 0 && name === 'DB.all') throw new Error('D1_ERROR: SQLITE_FULL')
      return run()
    })
    const cut = new Visitor(faulty)
    for (const [name, value] of visitor.cookies) cut.setCookie(name, value)
    const answer = await cut.submit('/account/delete', { documents: 'delete' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('are being deleted')
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key })).status).toBe(401)
    const again = mailing()
    const late = new Visitor(again.bindings)
    await late.submit('/sign-in', { email: own.email })
    expect((await late.open(linkOf(again.sent[0]))).status).toBe(403)
    await worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, env)
    for (const id of ids) expect((await read(id)).status).toBe(404)
    expect(await userRow(own.id)).toBeNull()
  })

  it('works off an account of many documents in slices', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const { own, visitor } = await signedIn()
    await env.DB.prepare(
      `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
          instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
        SELECT 'many' || value, ?1, 'content/many' || value, 1, 0, 'plaintext', 0, 0, 0, 0, 'v', 0, 0, 253402300799999
        FROM json_each(?2)`,
    )
      .bind(own.id, JSON.stringify(Array.from({ length: 1_200 }, (_, index) => index)))
      .run()
    const answer = await visitor.submit('/account/delete', { documents: 'delete' })
    expect(await answer.text()).toContain('Your documents are deleted, too.')
    const left = await env.DB.prepare(
      "SELECT count(*) AS n FROM documents WHERE id LIKE 'many%'",
    ).first<number>('n')
    expect(left).toBe(0)
  })
})

describe('the scheduled trigger', () => {
  it('forgets what is over of sessions, links and mails', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const { visitor } = await signedIn()
    await env.DB.batch([
      env.DB.prepare("INSERT INTO sessions VALUES ('over', 'over', (SELECT id FROM users LIMIT 1), 0, 1)"),
      env.DB.prepare("INSERT INTO verifications VALUES ('over', 'over', '{}', 0, 1)"),
      env.DB.prepare("INSERT INTO mails_sent VALUES ('over@example.org', 'over', 1)"),
    ])
    await worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, env)
    for (const sql of [
      "SELECT 1 FROM sessions WHERE id = 'over'",
      "SELECT 1 FROM verifications WHERE id = 'over'",
      "SELECT 1 FROM mails_sent WHERE id = 'over'",
    ]) {
      expect(await env.DB.prepare(sql).first()).toBeNull()
    }
    expect((await visitor.open('/account')).status).toBe(200)
  })
})
