import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createKey, replaceKey, revokeKey } from '../../src/accounts/api-keys.ts'
import { createSession, endSessions } from '../../src/accounts/sessions.ts'
import { listAuditLog } from '../../src/moderation/desk.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'

const db = new Database(env.DB, 5_000)
const now = Date.now()

const listActions = async (actor: string) =>
  (await listAuditLog(db, { cursor: undefined, limit: 100 })).items
    .filter((entry) => entry.actor === actor)
    .map(({ action, subject }) => `${action} ${subject}`)
    .toSorted()

describe('the audit log', () => {
  it('records who created, replaced and revoked which key', async () => {
    const { id, username } = await account()
    const created = await createKey(db, id, { id: 'first-key', name: 'laptop', now })
    const key = 'key' in created ? created.key : ''
    await replaceKey(db, key, now)
    await revokeKey(db, id, 'first-key', now)
    await revokeKey(db, id, 'first-key', now)
    expect(await listActions(username)).toEqual([
      'key.create first-key laptop',
      'key.replace first-key laptop',
      'key.revoke first-key laptop',
    ])
  })

  it("records neither a key that wasn't created nor somebody else's", async () => {
    const { id, username } = await account()
    const other = await account()
    await createKey(db, id, { id: 'taken-key', name: 'a', now })
    await createKey(db, other.id, { id: 'taken-key', name: 'b', now })
    await revokeKey(db, other.id, 'taken-key', now)
    expect(await listActions(username)).toEqual(['key.create taken-key a'])
    expect(await listActions(other.username)).toEqual([])
  })

  it('records each key that "Sign out everywhere" revokes', async () => {
    const { id, username } = await account()
    await createKey(db, id, { id: 'another-key', name: 'b', now })
    await endSessions(db, id, { revokeKeys: true, now })
    expect((await listActions(username)).filter((action) => action.startsWith('key.revoke'))).toHaveLength(2)
  })

  it('records a sign-in with the network that it came from', async () => {
    const { id, username } = await account()
    const { statements, result } = await createSession(
      { previousToken: null, network: '203.0.113.0/24', now },
      ['FROM users u WHERE u.id = ?5', id],
    )
    expect((await db.idempotentBatch([...statements, result])).at(-1)).toEqual([{ userId: id }])
    const { items } = await listAuditLog(db, { cursor: undefined, limit: 100 })
    expect(items.find((entry) => entry.actor === username)).toMatchObject({
      action: 'sign-in',
      subject: null,
      network: '203.0.113.0/24',
    })
  })
})
