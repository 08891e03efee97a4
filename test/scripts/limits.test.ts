import { describe, expect, it } from 'vitest'
import { auditCommands } from '../../scripts/admin/audit.ts'
import { limitCommands } from '../../scripts/admin/limits.ts'
import { PLAN_QUOTAS } from '../../src/config.ts'
import { emptyStorage, runner } from './support/commands.ts'

const storage = emptyStorage()
const limits = runner(limitCommands, storage)
const audit = runner(auditCommands, storage)

const insertDocument = (id: string, creatorId: string | null) =>
  storage.execute(`INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language,
      image_embed, instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
    VALUES ('${id}', ${creatorId === null ? 'NULL' : `'${creatorId}'`}, 'content/${id}', 100, 0, 'plaintext',
      0, 0, 0, 0, 'v', ${Date.now()}, 0, 9999999999999);`)

describe('npm run admin -- limits', () => {
  it('shows what the server and its accounts store', async () => {
    await storage.execute(
      "INSERT INTO users (id, username, email, created_at) VALUES ('a', 'ada', 'a@b.c', 0);",
    )
    await insertDocument('one', 'a')
    await insertDocument('two', null)
    await storage.execute("DELETE FROM documents WHERE id = 'two';")
    expect(JSON.parse((await limits('show', '--json')).stdout)).toEqual({
      server: { documents: 1, bytes: 100, created_today: 2 },
      accounts: [{ username: 'ada', documents: 1, bytes: 100, created_today: 1 }],
      anonymous: 'allow',
      plan: 'paid',
      quotas: PLAN_QUOTAS.paid,
    })
    expect((await limits('show')).stdout).toContain(
      'ada: 1 of 10000 documents, 100 of 1073741824 bytes, 1 of 2000 created today',
    )
  })

  it('switches documents without an account off and on, and records it', async () => {
    expect((await limits('anonymous', 'refuse')).stdout).toContain('now refuses')
    expect((await limits('show')).stdout).toContain('Documents without an account: refuse')
    await limits('anonymous', 'allow')
    expect((await limits('show')).stdout).toContain('Documents without an account: allow')
    const { entries } = JSON.parse((await audit('list', '--json')).stdout)
    expect(entries.map(({ action }: { action: string }) => action).sort()).toEqual([
      'anonymous-documents.allow',
      'anonymous-documents.refuse',
    ])
  })

  it.each([
    [['anonymous', 'maybe'], '"anonymous" takes "refuse" or "allow", not "maybe".'],
    [['anonymous'], '"anonymous" takes one value: "refuse" or "allow".'],
    [['show', 'all'], '"show" doesn\'t take "all".'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await limits(...args)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) })
  })
})
