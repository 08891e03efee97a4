import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account, session, suspend } from '../../support/accounts.ts'
import { visit } from '../../support/site/forms.ts'

describe('username suggestions', () => {
  const suggest = async (prefix: string, headers: Record<string, string>) => {
    const answer = await visit(`/account/usernames?${new URLSearchParams({ prefix })}`, { headers })
    return { status: answer.status, names: answer.status === 200 ? JSON.parse(answer.html).usernames : null }
  }

  it('start with what was typed, in any case, and are at most eight active accounts', async () => {
    const headers = await session(await account())
    for (const username of ['Zed_2', 'zed-1', 'ZEDZZ', 'zee', 'ze', 'zed_', 'zEd9']) {
      if (username.length > 2) await account({ username })
    }
    await suspend(await account({ username: 'zedgone' }))
    const leaving = await account({ username: 'zedleaving' })
    await env.DB.prepare("UPDATE users SET leaving = 'keep' WHERE id = ?1").bind(leaving.id).run()
    expect(await suggest('zeD', headers)).toEqual({
      status: 200,
      names: ['zed-1', 'zEd9', 'zed_', 'Zed_2', 'ZEDZZ'],
    })
    for (let n = 0; n < 10; n++) await account({ username: `many-${n}` })
    expect((await suggest('ma', headers)).names).toHaveLength(8)
    for (const prefix of ['', 'z', '%', 'ze%', '__%', 'z'.repeat(31), "z' OR 1", 'zé']) {
      expect(await suggest(prefix, headers)).toEqual({ status: 200, names: [] })
    }
  })

  it('are only for signed-in accounts with a confirmed address', async () => {
    expect((await suggest('zed', {})).status).toBe(401)
    expect((await suggest('zed', await session(await account({ confirmed: false })))).status).toBe(403)
  })
})
