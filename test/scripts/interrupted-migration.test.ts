import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'

const WRANGLER = new URL('../../node_modules/wrangler/bin/wrangler.js', import.meta.url).pathname
const ROWS = 600_000
/** More than SQLite keeps in memory: what is beyond that is in the file although the transaction hasn't ended. */
const BEGUN_BYTES = 4_000_000

let project: string

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'regent-'))
  mkdirSync(join(project, 'migrations'))
  writeFileSync(
    join(project, 'wrangler.toml'),
    'name = "a"\ncompatibility_date = "2026-09-01"\n[[d1_databases]]\nbinding = "DB"\ndatabase_name = "a"\ndatabase_id = "a"\n',
  )
  const migrate = (name: string, sql: string) => writeFileSync(join(project, 'migrations', name), sql)
  migrate('0001_first.sql', "CREATE TABLE first (a TEXT); INSERT INTO first VALUES ('kept');")
  migrate(
    '0002_long.sql',
    `CREATE TABLE long (n INTEGER PRIMARY KEY, text TEXT);
     INSERT INTO long WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ${ROWS})
       SELECT n, printf('%0100d', n) FROM count;
     ALTER TABLE first ADD COLUMN b TEXT;
     UPDATE first SET b = (SELECT count(*) FROM long);`,
  )
})

afterEach(() => {
  rmSync(project, { recursive: true })
})

/** Starts the migration in a process group of its own, as `npm run deploy` and `npm run dev` run it. */
const migrate = () =>
  spawn(process.execPath, [WRANGLER, 'd1', 'migrations', 'apply', 'DB', '--local'], {
    cwd: project,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', CI: 'true' },
  })

function listDatabaseFiles(): string[] {
  const folder = join(project, '.wrangler/state/v3/d1')
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  } catch {
    return []
  }
}

const getBytesWritten = (): number =>
  listDatabaseFiles()
    .filter((path) => /\.sqlite(-wal)?$/.test(path))
    .reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)

function inspect() {
  const path = listDatabaseFiles().find((file) => file.endsWith('.sqlite') && !file.includes('metadata'))
  const database = new DatabaseSync(path ?? '')
  try {
    const list = (sql: string) => database.prepare(sql).all()
    return {
      applied: list('SELECT name FROM d1_migrations').map(({ name }) => name),
      first: list('SELECT * FROM first').map((row) => ({ ...row })),
      tables: list("SELECT name FROM sqlite_master WHERE name = 'long'").length,
    }
  } finally {
    database.close()
  }
}

it('a migration that is killed while it runs has changed nothing, and is applied once by the next run', async () => {
  const killed = migrate()
  const ended = new Promise((resolve) => killed.once('exit', (_, signal) => resolve(signal)))
  await expect.poll(getBytesWritten, { timeout: 60_000, interval: 5 }).toBeGreaterThan(BEGUN_BYTES)
  process.kill(-(killed.pid ?? 0), 'SIGKILL')
  expect(await ended).toBe('SIGKILL')
  expect(inspect()).toEqual({ applied: ['0001_first.sql'], first: [{ a: 'kept' }], tables: 0 })

  const again = migrate()
  expect(await new Promise((resolve) => again.once('exit', resolve))).toBe(0)
  expect(inspect()).toEqual({
    applied: ['0001_first.sql', '0002_long.sql'],
    first: [{ a: 'kept', b: String(ROWS) }],
    tables: 1,
  })
}, 120_000)
