import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { runStatements, wipeDatabase } from '../support/storage/wipe.ts'
import { loadOldTables, OLD_DATABASES, readRows, readSchema } from './old-databases.ts'

const migrate = () => applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

/** The schema that schema.sql describes. */
async function expectedSchema(): Promise<Record<string, string>> {
  await wipeDatabase()
  await runStatements(env.TEST_SCHEMA)
  return readSchema()
}

const TABLES = [
  'users',
  'pictures',
  'api_keys',
  'sessions',
  'verifications',
  'mails_sent',
  'documents',
  'document_editors',
  'gists',
  'reports',
  'removals',
  'detached_contents',
  'sweep_progress',
]

describe('schema.sql', () => {
  it('equals all migrations applied to an empty database', async () => {
    const expected = await expectedSchema()
    expect(Object.keys(expected)).toContain('trigger users_gists_left')
    await wipeDatabase()
    await migrate()
    expect(await readSchema()).toEqual(expected)
  })
})

describe.each(Object.keys(OLD_DATABASES))('a database made by %s', (commit) => {
  it('has the current schema after the migrations', async () => {
    const expected = await expectedSchema()
    await loadOldTables(commit)
    await migrate()
    expect(await readSchema()).toEqual(expected)
  })

  it('keeps every row', async () => {
    await loadOldTables(commit)
    const before = await Promise.all(TABLES.map(readRows))
    await migrate()
    // Later migrations may add columns.
    expect(await Promise.all(TABLES.map(readRows))).toMatchObject(before)
    expect(before.filter((rows) => rows.length > 0).length).toBeGreaterThan(10)
  })

  it('keeps one linked account per user and service, preferring permission for gists, then the newest', async () => {
    await loadOldTables(commit)
    await migrate()
    const token = expect.stringMatching(/^eyJ/)
    const login = commit === '6f0127f' ? null : 'ada-at-github'
    expect(await readRows('linked_accounts')).toEqual([
      expect.objectContaining({ id: 'link-ada-1', account_id: '1001', access_token: token, login }),
      expect.objectContaining({ id: 'link-grace-2', account_id: '1004', access_token: null, login: null }),
    ])
  })

  it('is unchanged by a migration that fails at any statement, and can then be migrated', async () => {
    const expected = await expectedSchema()
    await loadOldTables(commit)
    for (const [index, { name, queries }] of env.TEST_MIGRATIONS.entries()) {
      await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.slice(0, index))
      const before = await readSchema()
      for (let executed = 1; executed <= queries.length; executed++) {
        const failing = [...queries.slice(0, executed), "INSERT INTO users (id) VALUES ('incomplete')"]
        await expect(runStatements(failing)).rejects.toThrow('NOT NULL')
        expect({ name, executed, schema: await readSchema() }).toEqual({ name, executed, schema: before })
      }
    }
    await migrate()
    expect(await readSchema()).toEqual(expected)
  })

  it('can be adopted even if a run stopped at any statement without a rollback', async () => {
    const adoption = env.TEST_MIGRATIONS.slice(0, 2)
    const statements = adoption.flatMap(({ queries }) => queries)
    await loadOldTables(commit)
    await applyD1Migrations(env.DB, adoption)
    const [schema, rows] = [await readSchema(), await readRows('linked_accounts')]
    for (let executed = 1; executed <= statements.length; executed++) {
      await loadOldTables(commit)
      await runStatements(statements.slice(0, executed))
      await applyD1Migrations(env.DB, adoption)
      expect({ executed, schema: await readSchema() }).toEqual({ executed, schema })
      expect({ executed, rows: await readRows('linked_accounts') }).toEqual({ executed, rows })
    }
    expect(await readRows('documents')).toHaveLength(10)
  })

  it('is not touched by a second run of the migrations', async () => {
    await loadOldTables(commit)
    await migrate()
    const applied = await readRows('d1_migrations')
    expect(applied.map(({ name }) => name)).toEqual(env.TEST_MIGRATIONS.map(({ name }) => name))
    await migrate()
    expect(await readRows('d1_migrations')).toEqual(applied)
  })
})

describe('a database from before accounts', () => {
  it('is refused and left as it was', async () => {
    await wipeDatabase()
    await runStatements(['CREATE TABLE documents (id TEXT PRIMARY KEY)'])
    const before = await readSchema()
    await expect(migrate()).rejects.toThrow('no such column')
    expect(await readSchema()).toEqual(before)
    expect(await readRows('d1_migrations')).toEqual([])
  })
})
