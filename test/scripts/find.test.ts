import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findCommand } from '../../scripts/admin/find.ts'
import { createLogHasher } from '../../src/platform/log-hash.ts'
import { emptyStorage, runner } from './support/commands.ts'

const SECRET = 's'.repeat(40)

describe('npm run admin -- find', () => {
  const storage = emptyStorage()
  const find = runner(findCommand, storage)

  beforeEach(() => vi.stubEnv('AUTH_SECRET', SECRET))
  afterEach(() => vi.unstubAllEnvs())

  it('says which document or account a hash of the log is about, and records the look', async () => {
    await storage.execute(`INSERT INTO users (id, username, email, created_at) VALUES ('u1', 'ada', 'a@b.c', 0);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 11000)
      INSERT INTO documents (id, content_key, content_bytes, content_until, language, image_embed, instant_delete,
          encrypted, public, version, created_at, updated_at, expires_at)
        SELECT printf('doc%05d', i), i, 1, 0, 'plaintext', 0, 0, 0, 0, 'v', 0, 0, 9999999999999 FROM n;
      INSERT INTO removals (document_id, removed_at, removed_by, reason) VALUES ('removed1', 0, 'x', 'y');`)
    const hash = await createLogHasher(SECRET)
    expect((await find(await hash('document', 'doc10999'))).stdout).toBe('document doc10999\n')
    expect(await find(await hash('document', 'removed1'))).toEqual({
      code: 0,
      stdout: 'document removed1\n',
      stderr: '',
    })
    expect(JSON.parse((await find(await hash('account', 'u1'), '--json')).stdout)).toEqual({
      kind: 'account',
      id: 'u1',
      username: 'ada',
    })
    const [entries] = await storage.execute("SELECT subject FROM audit_log WHERE action = 'hash.find';")
    expect(entries).toHaveLength(3)
    expect(await find(await hash('document', 'unknown1'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No document and no account has this hash'),
    })
  })

  it.each([
    [[], '"find" takes one hash of 16 characters'],
    [['short'], '"find" takes one hash of 16 characters'],
    [['abcdefghijklmnop', '--remote'], 'Put the AUTH_SECRET of the server'],
  ])('refuses %j', async (args, message) => {
    vi.stubEnv('AUTH_SECRET', '')
    expect(await find(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
  })
})
