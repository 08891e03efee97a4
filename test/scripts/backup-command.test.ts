import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withBindings } from '../../scripts/support/bindings.ts'
import { applyMigrations } from '../../scripts/support/database.ts'

const ROOT = new URL('../..', import.meta.url).pathname

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
}, 60_000)

afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function run(script: 'backup' | 'restore', ...args: string[]) {
  const options = { cwd: ROOT, env: { ...process.env, WRANGLER_LOG: 'error' } }
  return promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], options).then(
    (printed) => ({ code: 0, ...printed }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const IDS = Array.from({ length: 25 }, (_, n) => `doc${String(n).padStart(5, '0')}`)

/** Creates a local service with documents. Some of them have no content. */
async function createService(name: string, lost: readonly string[]): Promise<string[]> {
  const persistTo = join(folder, name)
  await applyMigrations({ remote: false, persistTo })
  await withBindings({ remote: false, persistTo }, async ({ DB, CONTENTS }) => {
    const insert = `INSERT INTO documents (id, content_key, content_bytes, content_until, language, image_embed,
        instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
      VALUES (?1, ?2, 4, 253402300799999, 'plaintext', 0, 0, 0, 0, 'v', 1, 1, 253402300799999)`
    await DB.batch(IDS.map((id) => DB.prepare(insert).bind(id, `content/${id}`)))
    for (const id of IDS) if (!lost.includes(id)) await CONTENTS.put(`content/${id}`, 'text')
  })
  return ['--persist-to', persistTo]
}

// Every step starts the real simulators, which takes seconds.
describe('npm run backup', { timeout: 180_000 }, () => {
  it('names what is missing and ends with 3, and so do the check and the restore', async () => {
    const lost = IDS.slice(2, 4)
    const service = await createService('some', lost)
    const file = join(folder, 'some.backup')
    const backup = await run('backup', ...service, '--out', file)
    expect(backup.code).toBe(3)
    expect(backup.stdout).toMatch(/^Backed up 23 documents and 0 accounts in .*, and checked the file\.\n$/)
    expect(backup.stderr).toBe(`The backup is incomplete: KV doesn't have the content of 2 documents.
  ${lost.join('\n  ')}
Everything else is in it and can be restored. See "Missing content" in docs/recovery.md.
`)
    const check = await run('restore', '--from', file, '--check', '--json')
    expect(check.code).toBe(3)
    expect(JSON.parse(check.stdout)).toMatchObject({
      documents: 23,
      missing: lost.map((document) => ({ document, revision: null })),
    })
    const target = join(folder, 'target')
    const restored = await run('restore', '--from', file, '--persist-to', target)
    expect(restored).toMatchObject({ code: 3, stderr: backup.stderr })
    expect(restored.stdout).toMatch(/Restored 23 documents\. Left out, because they have expired: 0\.\n$/)
  })

  it('stops at once if nearly all is missing, and leaves no file', async () => {
    const service = await createService('none', IDS)
    const backup = await run('backup', ...service, '--out', join(folder, 'none.backup'))
    expect(backup).toMatchObject({ code: 1, stdout: '' })
    expect(backup.stderr).toMatch(
      /^This looks like the wrong namespace: KV has the content of 0 of 25 documents\. .*\n$/,
    )
    expect((await readdir(folder)).filter((name) => name.startsWith('none.'))).toEqual([])
  })

  it('is complete if nothing is missing', async () => {
    const service = await createService('all', [])
    const file = join(folder, 'all.backup')
    const backup = await run('backup', ...service, '--out', file)
    expect(backup).toMatchObject({ code: 0, stderr: '' })
    expect(backup.stdout).toContain('Backed up 25 documents')
    const check = await run('restore', '--from', file, '--check')
    expect(check).toMatchObject({ code: 0, stderr: '' })
    expect(check.stdout).toMatch(/ is complete: 25 documents and 0 accounts\.\n$/)
  })
})
