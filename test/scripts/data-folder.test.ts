import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withBindings } from '../../scripts/support/bindings.ts'
import {
  explainStorageFault,
  findDamagedFile,
  lockDataFolder,
  prepareDataFolder,
} from '../../scripts/support/data-folder.ts'
import { applyMigrations, openStorage } from '../../scripts/support/database.ts'

let root: string
let folder: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'regent-'))
  folder = join(root, 'state')
})

afterEach(() => rm(root, { recursive: true, force: true }))

const getMode = async (path: string) => (await stat(path)).mode & 0o777

describe('the folder of a local service', () => {
  it('can be opened by its owner only', async () => {
    await prepareDataFolder(folder)
    expect(await getMode(folder)).toBe(0o700)
    expect(await getMode(join(folder, 'v3'))).toBe(0o700)
  })

  it('is closed if an earlier version left it open, and loses the URLs that wrangler recorded', async () => {
    const traces = join(folder, 'v3/observability/store')
    await mkdir(traces, { recursive: true })
    await writeFile(join(traces, 'x.sqlite'), '/v1/document/x?password=hunter2')
    await chmod(folder, 0o755)
    await chmod(join(folder, 'v3'), 0o755)
    await prepareDataFolder(folder)
    expect(await getMode(folder)).toBe(0o700)
    expect(await getMode(join(folder, 'v3'))).toBe(0o700)
    expect(await readdir(join(folder, 'v3'))).toEqual([])
  })

  it('stays open if it holds other files too, but its part for the service doesn’t', async () => {
    await mkdir(folder)
    await chmod(folder, 0o755)
    await writeFile(join(folder, 'holiday.jpg'), '')
    await prepareDataFolder(folder)
    expect(await getMode(folder)).toBe(0o755)
    expect(await getMode(join(folder, 'v3'))).toBe(0o700)
  })
})

describe('the lock of a folder', () => {
  beforeEach(() => prepareDataFolder(folder))

  it('keeps a second server out, and names the first', async () => {
    const unlock = lockDataFolder(folder, 'http://127.0.0.1:8787')
    expect(() => lockDataFolder(folder, 'http://127.0.0.1:8788')).toThrow(
      `${folder} is in use by http://127.0.0.1:8787 (process ${process.pid}). Stop that, or choose`,
    )
    unlock()
    lockDataFolder(folder, 'http://127.0.0.1:8788')()
  })

  it('can be read by its owner alone, also where an earlier version let everyone read it', async () => {
    const file = join(folder, 'dev-server.sqlite')
    await writeFile(file, '', { mode: 0o644 })
    lockDataFolder(folder, 'http://127.0.0.1:8787')()
    expect(await getMode(file)).toBe(0o600)
  })

  it('ends with its process, even if that is killed', async () => {
    const script = `
      import { lockDataFolder } from ${JSON.stringify(new URL('../../scripts/support/data-folder.ts', import.meta.url).href)}
      globalThis.unlock = lockDataFolder(${JSON.stringify(folder)}, 'http://first')
      process.stdout.write('locked')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    expect(() => lockDataFolder(folder, 'http://second')).toThrow(`http://first (process ${child.pid})`)
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockDataFolder(folder, 'http://second')()
  })
})

describe('a damaged file', () => {
  let d1: string
  let kv: string
  let blobs: string

  beforeEach(async () => {
    await prepareDataFolder(folder)
    d1 = join(folder, 'v3/d1/miniflare-D1DatabaseObject/aa.sqlite')
    kv = join(folder, 'v3/kv/miniflare-KVNamespaceObject/bb.sqlite')
    blobs = join(folder, 'v3/kv/CONTENTS/blobs')
    for (const file of [d1, kv]) await mkdir(dirname(file), { recursive: true })
    await mkdir(blobs, { recursive: true })
    for (const file of [d1, kv]) {
      const db = new DatabaseSync(file)
      db.exec(`CREATE TABLE _mf_entries (key TEXT PRIMARY KEY, text TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO _mf_entries SELECT 'content/' || i, printf('%.*c', 100, 'x') FROM n`)
      db.close()
    }
  })

  const overwrite = async (file: string, start: number, length: number) => {
    const handle = await open(file, 'r+')
    await handle.write(Buffer.alloc(length, 0xa5), 0, length, start)
    await handle.close()
  }

  it('is nowhere in sound storage', async () => {
    expect(await findDamagedFile(folder)).toBeNull()
    expect(await findDamagedFile(folder, { thorough: true })).toBeNull()
  })

  it.each(['d1', 'kv'])('is named, with what to do: %s', async (kind) => {
    const file = kind === 'd1' ? d1 : kv
    await overwrite(file, 0, 100)
    const message = await findDamagedFile(folder)
    expect(message).toBe(
      `${file} is damaged (file is not a database). Move ${folder} away, then restore a backup into a new one ` +
        '(npm run restore -- --help), or start without data.',
    )
  })

  it('is found if only some of its pages are damaged, or some are missing', async () => {
    await overwrite(d1, 16_384, 8_192)
    expect(await explainStorageFault(folder, 'malformed: SQLITE_CORRUPT')).toContain(`${d1} is damaged (`)
    await truncate(d1, 20_000)
    expect(await findDamagedFile(folder, { thorough: true })).toContain(`${d1} is damaged (`)
  })

  it('is found if it’s empty, though there is content', async () => {
    await truncate(d1, 0)
    expect(await findDamagedFile(folder)).toContain(`${d1} is empty, though there are documents.`)
  })

  it('can be the folder of the content', async () => {
    await rm(blobs, { recursive: true })
    expect(await findDamagedFile(folder)).toContain(`The content of the documents is missing: ${blobs}.`)
  })

  it('is told from one that can’t be opened', async () => {
    await rm(d1)
    await mkdir(d1)
    expect(await findDamagedFile(folder)).toBe(
      `Can't read and write ${d1} (EISDIR). Check its owner and its permissions.`,
    )
  })
})

describe('a fault that wrangler prints', () => {
  it.each([
    [
      'database is locked: SQLITE_BUSY',
      'Another program is using the database. Try again when it has finished.',
    ],
    ['database or disk is full: SQLITE_FULL', 'The disk is full.'],
    ['attempt to write a readonly database: SQLITE_READONLY', "The database can't be opened or written to."],
    ['disk I/O error: SQLITE_IOERR', "The disk can't be read or written to."],
    ['internal error; reference = abc123', "The database can't be used."],
  ])('is explained: %s', async (output, text) => {
    const message = await explainStorageFault(folder, output)
    expect(message).toContain(text)
    expect(message).toContain(folder)
    expect(message).not.toMatch(/SQLITE|reference/)
  })

  it('is not mistaken for an error in a statement', async () => {
    expect(await explainStorageFault(folder, 'no such table: users: SQLITE_ERROR')).toBeNull()
  })
})

describe('a command on a local database that another program holds', () => {
  const BUSY = { code: 1, stdout: '', stderr: 'failed: database is locked: SQLITE_BUSY\nstack: workerd@1' }

  it('tries again', async () => {
    const outputs = [BUSY, BUSY, { code: 0, stdout: '', stderr: '' }]
    await applyMigrations({ remote: false, persistTo: folder }, async () => outputs.shift() ?? BUSY)
    expect(outputs).toEqual([])
  })

  it('gives up with one sentence in the end', async () => {
    await expect(applyMigrations({ remote: false, persistTo: folder }, async () => BUSY)).rejects.toThrow(
      `Another program is using the database. Try again when it has finished. Its folder is ${folder}.`,
    )
  })
})

describe('a folder without a database', () => {
  it('is refused by commands, which create nothing in it', async () => {
    const typo = join(folder, 'typo')
    const storage = openStorage({ remote: false, persistTo: typo })
    await expect(storage.execute('SELECT 1')).rejects.toThrow(`${typo} holds no database. Check the path`)
    await expect(stat(typo)).rejects.toThrow('ENOENT')
  })

  it('is refused by commands if its database is empty', async () => {
    const target = { remote: false, persistTo: folder }
    await withBindings(target, ({ DB }) => DB.prepare('SELECT 1').all())
    await expect(openStorage(target).execute('SELECT id FROM users')).rejects.toThrow('holds no database')
  })
})
