import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { BackupFile, readBackupFile } from '../../scripts/backup/backup-file.ts'
import { type BackupProgress, beginBackup } from '../../scripts/backup/write-backup.ts'
import { withBindings } from '../../scripts/support/bindings.ts'
import { lockDataFolder } from '../../scripts/support/data-folder.ts'
import { applyMigrations } from '../../scripts/support/database.ts'
import { ROOT } from '../../scripts/support/script.ts'
import { CloudflareApi } from './support/cloudflare-api.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
}, 60_000)

afterAll(async () => {
  await rm(folder, { recursive: true })
})

let path: string

const begun = beginBackup({ kind: 'full', now: 1, burnAfterReading: false })

const part = (text: string, parts: number): { chunks: Uint8Array[]; progress: BackupProgress } => ({
  chunks: [new TextEncoder().encode(text)],
  progress: { ...begun, parts },
})

async function readText(): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readBackupFile(path)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

describe('a backup file', () => {
  beforeEach(async () => {
    path = join(await mkdtemp(join(folder, 'file-')), 'a.backup')
  })

  it('is readable by its owner only, while it is written and afterwards', async () => {
    const file = new BackupFile(path)
    await file.begin()
    await file.append(part('one\n', 1))
    for (const suffix of ['partial', 'progress']) {
      expect((await stat(`${path}.${suffix}`)).mode & 0o777).toBe(0o600)
    }
    await file.finish()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await expect(stat(`${path}.progress`)).rejects.toThrow('ENOENT')
    expect(await readText()).toBe('one\n')
  })

  it('is continued after the last part that was recorded', async () => {
    const first = new BackupFile(path)
    await first.begin()
    await first.append(part('one\n', 1))
    const partial = await readFile(`${path}.partial`)
    await writeFile(`${path}.partial`, Buffer.concat([partial, Buffer.from('half of the next part')]))
    const second = new BackupFile(path)
    expect(await second.resume()).toMatchObject({ id: begun.id, parts: 1 })
    await second.append(part('two\n', 2))
    await second.finish()
    expect(await readText()).toBe('one\ntwo\n')
  })

  it('that was cut off is reported as damaged', async () => {
    const file = new BackupFile(path)
    await file.begin()
    await file.append(part('one\n'.repeat(1_000), 1))
    await file.finish()
    await truncate(path, 20)
    await expect(readText()).rejects.toThrow('damaged or incomplete')
  })
})

async function runWith(
  env: Record<string, string>,
  script: 'backup' | 'restore' | 'recover',
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } }
  return promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], options).then(
    (printed) => ({ code: 0, ...printed }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const run = (script: 'backup' | 'restore' | 'recover', ...args: string[]) =>
  runWith({ WRANGLER_LOG: 'error' }, script, ...args)

const IDS = Array.from({ length: 25 }, (_, n) => `doc${String(n).padStart(5, '0')}`)

const inFolder = (name: string) => ({ remote: false, persistTo: join(folder, name) })

const insertDocument = (id: string, contentKey: string, at: number) =>
  `INSERT INTO documents (id, content_key, content_bytes, content_until, language, image_embed, instant_delete, encrypted,
      public, version, created_at, updated_at, expires_at)
    VALUES (${id}, ${contentKey}, 4, 253402300799999, 'plaintext', 0, 0, 0, 0, 'v', ${at}, ${at}, 253402300799999)`

/** Creates a local service with documents. */
async function createService(name: string): Promise<void> {
  await applyMigrations(inFolder(name))
  await withBindings(inFolder(name), async ({ DB, CONTENTS }) => {
    const insert = DB.prepare(insertDocument('?1', '?2', 1))
    await DB.batch(IDS.map((id) => insert.bind(id, `content/${id}`)))
    await DB.batch([
      DB.prepare("INSERT INTO users (id, username, email, created_at) VALUES ('u', 'ada', 'a@b', 1)"),
      ...IDS.map((id) =>
        DB.prepare("INSERT INTO document_editors (document_id, position, user_id) VALUES (?1, 0, 'u')").bind(
          id,
        ),
      ),
    ])
    await Promise.all(IDS.map((id) => CONTENTS.put(`content/${id}`, 'text')))
  })
}

/**
 * Writes as a busy server does, without pause, while some work is done: creates, edits and deletions by three clients.
 * Returns how many writes there were, and those that failed.
 */
async function writeBeside<T>(name: string, prefix: string, work: () => Promise<T>) {
  return withBindings(inFolder(name), async ({ DB, CONTENTS }) => {
    let [done, writes] = [false, 0]
    const faults: unknown[] = []
    const write = async (client: number) => {
      for (let n = 0; !done; n++) {
        const [id, key] = [`${prefix}${client}x${n}`, `content/${prefix}${client}x${n}`]
        await CONTENTS.put(key, 'text')
        await DB.batch([
          DB.prepare(insertDocument('?1', '?2', Date.now())).bind(id, key),
          DB.prepare('UPDATE documents SET views = views + 1'),
        ])
        await CONTENTS.put(`${key}e`, 'text')
        await DB.prepare('UPDATE documents SET content_key = ?2 WHERE id = ?1').bind(id, `${key}e`).all()
        await CONTENTS.delete(key)
        await DB.prepare('DELETE FROM documents WHERE id = ?1')
          .bind(`${prefix}${client}x${n - 20}`)
          .all()
        await CONTENTS.delete(`content/${prefix}${client}x${n - 20}e`)
        writes += 7
      }
    }
    const clients = [1, 2, 3].map((client) => write(client).catch((fault) => faults.push(fault)))
    const result = await work().finally(() => {
      done = true
    })
    await Promise.all(clients)
    return { result, writes, faults }
  })
}

/** Deletes the content of some documents, but not the documents. */
const loseContent = (name: string, ids: readonly string[]) =>
  withBindings(inFolder(name), async ({ CONTENTS }) => {
    await Promise.all(ids.map((id) => CONTENTS.delete(`content/${id}`)))
  })

// Most steps start the real simulators, which takes a second.
describe('the backups of one service', () => {
  const service = () => ['--persist-to', join(folder, 'service')]

  beforeAll(() => createService('service'), 60_000)

  it('are made beside a running server, while restore and recover refuse in one sentence', async () => {
    const persistTo = join(folder, 'service')
    const file = join(folder, 'all.backup')
    const unlock = lockDataFolder(persistTo, 'http://127.0.0.1:8787')
    try {
      const backup = await run('backup', ...service(), '--out', file)
      expect(backup).toMatchObject({ code: 0, stderr: '' })
      expect(backup.stdout).toContain('Backed up 25 documents')
      const check = await run('restore', '--from', file, '--check')
      expect(check).toMatchObject({ code: 0, stderr: '' })
      expect(check.stdout).toMatch(/ is complete: 25 documents and 1 account\.\n$/)
      const refusal = {
        code: 1,
        stdout: '',
        stderr: `${persistTo} is in use by http://127.0.0.1:8787 (process ${process.pid}). Stop that, or choose another folder: --persist-to DIR\n`,
      }
      expect(await run('restore', ...service(), '--from', file, '--merge')).toEqual(refusal)
      expect(await run('recover', ...service(), '--strict', '--apply')).toEqual(refusal)
      expect((await run('recover', ...service(), '--strict')).code).toBe(0)
    } finally {
      unlock()
    }
    const merge = await run('restore', ...service(), '--from', file, '--merge')
    expect(merge).toEqual({
      code: 0,
      stderr: '',
      stdout: `Added 0 documents and 0 accounts. Already there, and unchanged: 25 documents and 1 account.
Put back the content of 0 documents and 0 revisions.
`,
    })
  })

  it('are made, in one line, while three clients write without pause', async () => {
    await createService('busy')
    const file = join(folder, 'busy.backup')
    const busy = (prefix: string, script: 'backup' | 'recover', ...args: string[]) =>
      writeBeside('busy', prefix, () => run(script, '--persist-to', join(folder, 'busy'), ...args))
    const backup = await busy('b', 'backup', '--out', file)
    const save = await busy('s', 'recover', '--save', `${file}.rows`)
    for (const { result, writes, faults } of [backup, save]) {
      expect(result).toMatchObject({ code: 0, stderr: '' })
      expect(result.stdout).toMatch(/^(Backed up|Saved) .*\n$/)
      // The entry of the audit log locks the database for a moment. The service tries again then; these clients don't.
      const others = faults.filter((fault) => !String(fault).includes('SQLITE_BUSY'))
      expect({ others, isBusy: writes > 10 }).toEqual({ others: [], isBusy: true })
    }
    const check = await run('restore', '--from', file, '--check')
    expect(check.stdout).toContain(' is complete: ')
    // A restore of the whole gives back what was there all the time.
    await run('restore', '--from', file, '--persist-to', join(folder, 'busy-target'))
    await withBindings(inFolder('busy-target'), async ({ DB }) => {
      const { results } = await DB.prepare("SELECT id FROM documents WHERE id LIKE 'doc%' ORDER BY id").all()
      expect(results).toEqual(IDS.map((id) => ({ id })))
    })
  })

  it('name what is missing and end with 3, and so do the check and the restore', async () => {
    const lost = IDS.slice(2, 4)
    await loseContent('service', lost)
    const file = join(folder, 'some.backup')
    const backup = await run('backup', ...service(), '--out', file)
    expect(backup.code).toBe(3)
    expect(backup.stdout).toMatch(/^Backed up 23 documents and 1 account in .*, and checked the file\.\n$/)
    expect(backup.stderr).toBe(`The backup is incomplete: KV doesn't have the content of 2 documents.
  ${lost.join('\n  ')}
Everything else is in it and can be restored. See "Missing content" in docs/recovery.md.
`)
    const check = await run('restore', '--from', file, '--check', '--json')
    expect(check.code).toBe(3)
    expect(JSON.parse(check.stdout)).toMatchObject({
      documents: 23,
      missing: lost.map((document) => ({ document, revision: null })),
      left_out: { document_editors: 2 },
    })
    const restored = await run('restore', '--from', file, '--persist-to', join(folder, 'target'))
    expect(restored).toMatchObject({ code: 3, stderr: backup.stderr })
    expect(restored.stdout).toMatch(/Restored 23 documents\. Left out, because they have expired: 0\.\n/)
    expect(restored.stdout).toMatch(
      /\nRows left out, because .* isn't in the backup or has expired: document_editors 2\.\n$/,
    )
    await withBindings(inFolder('target'), async ({ DB, CONTENTS }) => {
      const { results } = await DB.prepare('SELECT count(*) AS count FROM document_editors').all()
      expect(results).toEqual([{ count: 23 }])
      expect(await CONTENTS.get(`content/${IDS[0]}`, 'arrayBuffer')).toEqual(
        new TextEncoder().encode('text').buffer,
      )
    })
    const earlier = join(folder, 'all.backup')
    const back = await run('restore', '--from', earlier, ...service(), '--contents-only')
    expect(back).toEqual({
      code: 0,
      stderr: '',
      stdout: 'Put back the content of 2 documents and 0 revisions.\n',
    })
  })

  it('stop at once if nearly all is missing, and leave no file', async () => {
    await loseContent('service', IDS)
    const backup = await run('backup', ...service(), '--out', join(folder, 'none.backup'))
    expect(backup).toMatchObject({ code: 1, stdout: '' })
    expect(backup.stderr).toMatch(
      /^This looks like the wrong namespace: KV has the content of 0 of 25 documents\. .*\n$/,
    )
    expect((await readdir(folder)).filter((name) => name.startsWith('none.'))).toEqual([])
  })
})

describe('a put', () => {
  it('stores every byte, and fails without the others of its batch', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    await withBindings(inFolder('puts'), async ({ CONTENTS }) => {
      const metadata = { document: 'id', putAt: 1 }
      const results = await Promise.allSettled([
        CONTENTS.put('bytes', bytes.buffer, { metadata }),
        CONTENTS.put('.', 'refused'),
        CONTENTS.put('empty', ''),
        CONTENTS.put('text', '\ufeffü\r\n'),
      ])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
      const stored = await Promise.all(
        ['bytes', 'empty', 'text'].map((key) => CONTENTS.get(key, 'arrayBuffer')),
      )
      expect(stored.map((buffer) => Buffer.from(buffer ?? new ArrayBuffer(0)))).toEqual([
        Buffer.from(bytes),
        Buffer.from(''),
        Buffer.from('\ufeffü\r\n'),
      ])
      const { keys } = await CONTENTS.list({ prefix: 'bytes', cursor: null })
      expect(keys).toEqual([expect.objectContaining({ name: 'bytes', metadata })])
    })
  })
})

// The content itself goes through a preview of a Worker, which wrangler reaches by https at workers.dev only. See
// docs/recovery.md.
describe('npm run backup -- --remote, with a stand-in for the API of Cloudflare', {
  timeout: 180_000,
}, () => {
  it('finds the deployed database and namespace, asks for bindings to them, and says if that fails', async () => {
    const api = new CloudflareApi()
    onTestFinished(() => api.stop())
    const env = await api.start()
    api.databases.set('regent', new DatabaseSync(':memory:'))
    api.namespaces = ['regent-contents-of-another', 'regent-contents']
    const { code, stdout, stderr } = await runWith(
      env,
      'backup',
      '--remote',
      '--out',
      join(folder, 'remote.backup'),
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.split('\n').filter((line) => line.startsWith("Can't connect"))).toEqual([
      expect.stringContaining('Failed to obtain a preview token'),
    ])
    const metadata = JSON.parse(/name="metadata"\r\n\r\n(.*)\r\n/.exec(api.proxy ?? '')?.[1] ?? '{}')
    expect(metadata.bindings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'DB', type: 'd1', id: 'uuid-of-regent' }),
        expect.objectContaining({ name: 'CONTENTS', type: 'kv_namespace', namespace_id: 'namespace 1' }),
      ]),
    )
    expect(api.unknown).toEqual([])
    // Nothing that looks like a backup is left.
    expect((await readdir(folder)).filter((name) => name.startsWith('remote.'))).toEqual([])
  })
})
