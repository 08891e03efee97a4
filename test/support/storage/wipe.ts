import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { contentCache } from '../../../src/documents/content-store.ts'

/** Runs statements as one transaction. */
export const runStatements = (statements: readonly string[], db = env.DB) =>
  db.batch(statements.map((statement) => db.prepare(statement)))

/** Deletes every table. Tables that refer to others are newer, and so are dropped first. */
export async function wipeDatabase(db = env.DB): Promise<void> {
  const { results } = await db
    .prepare(
      String.raw`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\_cf%' ESCAPE '\'
      AND name NOT LIKE 'sqlite%' ORDER BY name = 'users', name = 'documents', rowid DESC`,
    )
    .all<{ name: string }>()
  if (results.length > 0)
    await runStatements(
      results.map(({ name }) => `DROP TABLE ${name}`),
      db,
    )
}

interface SchemaEntry {
  readonly type: string
  readonly name: string
  readonly sql: string
}

const readSchema = async (): Promise<SchemaEntry[]> =>
  (
    await env.DB.prepare(
      String.raw`SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE '\_cf%' ESCAPE '\'
        AND name NOT LIKE 'sqlite%' AND name <> 'd1_migrations' ORDER BY name`,
    ).all<SchemaEntry>()
  ).results

/** What the migrations made, as JSON. */
let migratedSchema = ''

/** Puts the database into the state after the migrations. */
export async function resetDatabase(): Promise<void> {
  const schema = await readSchema()
  // Applying the migrations takes several times as long.
  if (JSON.stringify(schema) === migratedSchema) return emptyTables(schema)
  await wipeDatabase()
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
  migratedSchema = JSON.stringify(await readSchema())
}

async function emptyTables(schema: readonly SchemaEntry[]): Promise<void> {
  const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => name)
  const triggers = schema.filter(({ type }) => type === 'trigger')
  const firstRows = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries).filter((query) =>
    tables.some((name) => query.startsWith(`INSERT INTO ${name} `)),
  )
  await runStatements([
    'PRAGMA defer_foreign_keys = on',
    // Some would forbid the deletions, and others would record them.
    ...triggers.map(({ name }) => `DROP TRIGGER ${name}`),
    ...tables.map((name) => `DELETE FROM ${name}`),
    ...firstRows,
    ...triggers.map(({ sql }) => sql),
  ])
}

/** Deletes everything in KV. */
export async function wipeContents(): Promise<void> {
  for (;;) {
    const { keys, list_complete } = await env.CONTENTS.list()
    await Promise.all(keys.map(({ name }) => env.CONTENTS.delete(name)))
    if (list_complete) return
  }
}

/** Replaces database and KV with empty ones. */
export async function startEmpty(): Promise<void> {
  contentCache.clear()
  await Promise.all([wipeContents(), resetDatabase()])
}
