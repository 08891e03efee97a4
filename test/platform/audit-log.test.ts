import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createKey, replaceKey, revokeKey } from '../../src/accounts/api-keys.ts'
import { createSession, endSessions } from '../../src/accounts/sessions.ts'
import { deleteExpiredModerationData } from '../../src/moderation/delete-expired.ts'
import { listAuditLog } from '../../src/moderation/desk.ts'
import { AUDIT_RETENTION_DAYS, auditStatement } from '../../src/platform/audit-log.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { create } from '../support/client.ts'

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
      { previousToken: null, sessionDays: 30, network: '203.0.113.0/24', now },
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

const DAY_MS = 86_400_000

const record = (subject: string, now: number) =>
  db.idempotentBatch([auditStatement({ actor: 'ada', action: 'block.add', subject, now })])

const listSubjects = async () =>
  (await listAuditLog(db, { cursor: undefined, limit: 100 })).items.map(({ subject }) => subject)

describe('the audit log', () => {
  it('refuses every change of an entry', async () => {
    await record('kept', Date.now())
    for (const column of ['actor', 'action', 'subject', 'detail', 'at', 'address']) {
      const change = env.DB.prepare(`UPDATE audit_log SET ${column} = 1`).run()
      await expect(change).rejects.toThrow('audit log entries can not be changed')
    }
    const replace = env.DB.prepare(
      "INSERT INTO audit_log (id, at, actor, action) SELECT id, at, 'eve', action FROM audit_log",
    ).run()
    await expect(replace).rejects.toThrow('UNIQUE')
  })

  it('refuses to delete an entry before its time is over, and deletes it afterwards', async () => {
    const now = Date.now()
    const retention = AUDIT_RETENTION_DAYS * DAY_MS
    await record('young', now - retention + DAY_MS)
    await record('old', now - retention - DAY_MS)
    const early = env.DB.prepare("DELETE FROM audit_log WHERE subject = 'young'").run()
    await expect(early).rejects.toThrow('audit log entries are kept for 180 days')
    await deleteExpiredModerationData(db, now)
    const subjects = await listSubjects()
    expect(subjects).toContain('young')
    expect(subjects).not.toContain('old')
    // A wrong clock can't delete anything early.
    await deleteExpiredModerationData(db, now + 2 * retention)
    expect(await listSubjects()).toContain('young')
  })

  it('keeps one entry when a statement runs twice', async () => {
    const statement = auditStatement({ actor: 'ada', action: 'block.add', subject: 'twice', now: Date.now() })
    await db.idempotentBatch([statement])
    await db.idempotentBatch([statement])
    expect((await listSubjects()).filter((subject) => subject === 'twice')).toHaveLength(1)
  })
})

it('forgets the address of a creator after 30 days', async () => {
  const headers = { 'CF-Connecting-IP': '203.0.113.9' }
  const [old, young] = [await create('x', undefined, { headers }), await create('y', undefined, { headers })]
  const backdate = env.DB.prepare('UPDATE documents SET created_at = created_at - ?2 WHERE id = ?1')
  await backdate.bind(old.id, 30 * DAY_MS).run()
  await deleteExpiredModerationData(db, Date.now())
  const { results } = await env.DB.prepare('SELECT id FROM documents WHERE creator_address IS NOT NULL').all()
  expect(results).toEqual([{ id: young.id }])
})
