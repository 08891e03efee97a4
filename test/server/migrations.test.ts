import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/build.ts'
import { runToEnd } from './support/process.ts'
import { createFolder, startTestServer } from './support/server.ts'

beforeAll(() => ensureBuilt(() => {}))

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

const listMigrations = async (before = 'all') =>
  (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql') && name < before).toSorted()

/** Makes a folder with an account, whose database lacks the migrations from this number on. */
async function createOldFolder(first: string): Promise<string> {
  const folder = await createFolder()
  using db = new DatabaseSync(join(folder, 'regent.sqlite'))
  db.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`)
  for (const name of await listMigrations(first)) {
    db.exec(await readFile(join(MIGRATIONS, name), 'utf8'))
    db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name)
  }
  db.exec("INSERT INTO users (id, username, email, created_at) VALUES ('u', 'old-user', 'a@example.org', 0)")
  return folder
}

async function expectUpgraded({ DB }: Env): Promise<void> {
  const { results } = await DB.prepare('SELECT name FROM d1_migrations ORDER BY name').all()
  expect(results.map(({ name }) => name)).toEqual(await listMigrations())
  expect((await DB.prepare('SELECT username FROM users').all()).results).toEqual([{ username: 'old-user' }])
}

const listCopies = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.startsWith('regent-before'))

/** Node's options for a server that gets the signal between two migrations of a transaction. */
const killAmidst = (signal: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import { DatabaseSync } from 'node:sqlite'
    const { prepare } = DatabaseSync.prototype
    DatabaseSync.prototype.prepare = function (sql) {
      if (sql.startsWith('INSERT INTO d1_migrations')) process.kill(process.pid, '${signal}')
      return prepare.call(this, sql)
    }`)}`,
})

describe('an upgrade', () => {
  it('copies a database that has rows, migrates it, and keeps two copies', async () => {
    const folder = await createOldFolder('0023')
    for (const name of [
      'regent-before-0017-3.sqlite',
      'regent-before-0018-1.sqlite',
      'regent-before-0018-20.sqlite',
    ])
      await writeFile(join(folder, name), '')
    // A kill has left this.
    await writeFile(join(folder, 'regent-before-part.sqlite'), 'part of a copy')
    await using server = await startTestServer({}, folder)
    expect(new Set(await listCopies(folder))).toEqual(
      new Set(['regent-before-0018-20.sqlite', basename(server.copy ?? '')]),
    )
    await expectUpgraded(server.env)
    using copy = new DatabaseSync(server.copy ?? '', { readOnly: true })
    expect(copy.prepare('SELECT username FROM users').all()).toEqual([{ username: 'old-user' }])
    const names = await listMigrations('0023')
    expect(copy.prepare('SELECT count(*) AS count FROM d1_migrations').get()).toEqual({ count: names.length })
  })

  it('changes nothing if a migration fails, and says so in one sentence', async () => {
    const folder = await createOldFolder('0022')
    using db = new DatabaseSync(join(folder, 'regent.sqlite'))
    db.exec('ALTER TABLE revisions ADD COLUMN language_detected INTEGER')
    const read = () =>
      ['sqlite_schema', 'd1_migrations', 'users'].map((table) => db.prepare(`SELECT * FROM ${table}`).all())
    const before = read()
    const { code, output } = await runToEnd(['--port', '0', '--data', folder])
    expect(code).toBe(1)
    expect(output).toBe(
      'The migration 0023_detected_languages.sql failed, and nothing has changed: duplicate column name: language_detected\n',
    )
    expect(read()).toEqual(before)
    expect(await listCopies(folder)).toEqual([])
  })

  it('starts again after a kill', async () => {
    const folder = await createOldFolder('0022')
    expect(await runToEnd(['--port', '0', '--data', folder], killAmidst('SIGKILL'))).toEqual({
      code: 'SIGKILL',
      output: '',
    })
    {
      using db = new DatabaseSync(join(folder, 'regent.sqlite'))
      const { length } = await listMigrations('0022')
      expect(db.prepare('SELECT count(*) AS count FROM d1_migrations').get()).toEqual({ count: length })
      expect(() => db.prepare('SELECT name FROM documents')).toThrow('no such column: name')
    }
    await using server = await startTestServer({}, folder)
    await expectUpgraded(server.env)
  })

  it('ends in peace before the server stops', async () => {
    const folder = await createOldFolder('0022')
    const { code, output } = await runToEnd(['--port', '0', '--data', folder], killAmidst('SIGTERM'))
    expect(code).toBe(0)
    expect(
      output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toEqual(['server stopping', 'server stopped'])
    await using server = await startTestServer({}, folder)
    await expectUpgraded(server.env)
    expect(server.copy).toBeNull()
  })
})
