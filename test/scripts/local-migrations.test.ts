import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { isBusyOutput } from '../../scripts/support/data-folder.ts'
import { migrateLocally } from '../../scripts/support/database.ts'

/** More than SQLite keeps in memory: what is beyond that is in the file although the transaction hasn't ended. */
const BEGUN_BYTES = 4_000_000

let folder: string

const writeMigration = (name: string, sql: string) => writeFileSync(join(folder, 'migrations', name), sql)

/** Writes the migration that is killed while it runs. */
const writeLong = (rows: number) =>
  writeMigration(
    '0002_long.sql',
    `CREATE TABLE long (n INTEGER PRIMARY KEY, text TEXT);
     INSERT INTO long WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ${rows})
       SELECT n, printf('%0100d', n) FROM count;
     ALTER TABLE first ADD COLUMN b TEXT;
     UPDATE first SET b = (SELECT count(*) FROM long);`,
  )

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'regent-'))
  mkdirSync(join(folder, 'migrations'))
  writeMigration('0001_first.sql', "CREATE TABLE first (a TEXT); INSERT INTO first VALUES ('kept');")
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

const getTarget = () => ({ remote: false, persistTo: join(folder, 'data') })

/** Runs the migrations in a process group of its own, as a terminal runs a command. */
function startMigrating() {
  const script = join(folder, 'migrate.mjs')
  const args = `${JSON.stringify(getTarget())}, ${JSON.stringify(join(folder, 'migrations'))}`
  writeFileSync(
    script,
    `import { migrateLocally } from '${new URL('../../scripts/support/database.ts', import.meta.url)}'
     process.exitCode = (await migrateLocally(${args})).code`,
  )
  return spawn(process.execPath, [script], { detached: true, stdio: ['ignore', 'ignore', 'inherit'] })
}

function listDatabaseFiles(): string[] {
  const databases = join(folder, 'data/v3/d1')
  try {
    return readdirSync(databases, { recursive: true, encoding: 'utf8' }).map((name) => join(databases, name))
  } catch {
    return []
  }
}

const getBytesWritten = (): number =>
  listDatabaseFiles()
    .filter((path) => /\.sqlite(-wal)?$/.test(path))
    .reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)

const openDatabase = () =>
  new DatabaseSync(
    listDatabaseFiles().find((file) => file.endsWith('.sqlite') && !file.includes('metadata')) ?? '',
  )

function inspect() {
  const database = openDatabase()
  try {
    const list = (sql: string) => database.prepare(sql).all()
    return {
      applied: list('SELECT name FROM d1_migrations').map(({ name }) => name),
      first: list('SELECT * FROM first').map((row) => ({ ...row })),
      tables: list("SELECT name FROM sqlite_master WHERE name IN ('long', 'half')").length,
    }
  } finally {
    database.close()
  }
}

it('a migration that is killed while it runs has changed nothing, and is applied once by the next run', async () => {
  // Only the kill ends it.
  writeLong(1e12)
  const killed = startMigrating()
  onTestFinished(() => {
    if (killed.signalCode === null) process.kill(-(killed.pid ?? 0), 'SIGKILL')
  })
  const ended = new Promise((resolve) => killed.once('exit', (_, signal) => resolve(signal)))
  await expect.poll(getBytesWritten, { timeout: 60_000, interval: 5 }).toBeGreaterThan(BEGUN_BYTES)
  process.kill(-(killed.pid ?? 0), 'SIGKILL')
  expect(await ended).toBe('SIGKILL')
  expect(inspect()).toEqual({ applied: ['0001_first.sql'], first: [{ a: 'kept' }], tables: 0 })

  writeLong(1_000)
  const again = startMigrating()
  expect(await new Promise((resolve) => again.once('exit', resolve))).toBe(0)
  expect(inspect()).toEqual({
    applied: ['0001_first.sql', '0002_long.sql'],
    first: [{ a: 'kept', b: '1000' }],
    tables: 1,
  })
}, 120_000)

it('a migration that fails changes nothing, also if another program has locked the database', async () => {
  writeMigration('0002_half.sql', 'CREATE TABLE half (a); INSERT INTO missing VALUES (1);')
  const migrate = () => migrateLocally(getTarget(), join(folder, 'migrations'))
  const failed = await migrate()
  expect(failed).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^no such table: missing/) })
  expect(inspect()).toEqual({ applied: ['0001_first.sql'], first: [{ a: 'kept' }], tables: 0 })

  const other = openDatabase()
  other.exec('BEGIN EXCLUSIVE')
  const { code, stderr } = await migrate()
  other.close()
  expect(code).toBe(1)
  expect(isBusyOutput(stderr)).toBe(true)
}, 120_000)
