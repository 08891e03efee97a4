import { env } from 'cloudflare:workers'
import { runStatements, wipeContents, wipeDatabase } from '../support/storage/wipe.ts'
import at6f0127f from './fixtures/6f0127f.json'
import atD4a0f9e from './fixtures/d4a0f9e.json'
import { getOldStatements } from './old-statements.ts'

/** What a fixture's database was filled with. Each fixture has the same accounts and documents. */
type OldDatabase = typeof at6f0127f

/** The commits that made the databases in fixtures/: the first with accounts, and the last without migrations. */
export const OLD_DATABASES: Readonly<Record<string, OldDatabase>> = {
  '6f0127f': at6f0127f,
  d4a0f9e: atD4a0f9e,
}

/** Replaces the database with a database of an earlier commit. */
export async function loadOldTables(commit: string): Promise<void> {
  const dump = env.TEST_OLD_DATABASES.find(({ name }) => name === `${commit}.sql`)
  const schema = env.TEST_MIGRATIONS[0]?.queries
  if (!dump || !schema) throw new Error(`no fixture for ${commit}`)
  await wipeDatabase()
  await runStatements(getOldStatements(commit, schema, dump.queries))
}

/** Replaces the database with a database of an earlier commit, and KV with its content. */
export async function loadOldDatabase(commit: string): Promise<OldDatabase> {
  const database = OLD_DATABASES[commit]
  if (!database) throw new Error(`no fixture for ${commit}`)
  await loadOldTables(commit)
  await wipeContents()
  await Promise.all(
    database.contents.map(({ key, value, metadata }) => env.CONTENTS.put(key, value, { metadata })),
  )
  return database
}

/** Every table, index and trigger by its name, as SQL without comments, quotes and line breaks. */
export async function readSchema(): Promise<Record<string, string>> {
  const { results } = await env.DB.prepare(
    String.raw`SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'd1_migrations'
      AND name NOT LIKE '\_cf%' ESCAPE '\' AND name NOT LIKE 'sqlite%' ORDER BY type, name`,
  ).all<{ type: string; name: string; sql: string }>()
  const normalize = (sql: string) =>
    sql
      .replaceAll(/--.*$/gm, '')
      .replaceAll(/["`]/g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\s*([(),])\s*/g, '$1')
  return Object.fromEntries(results.map(({ type, name, sql }) => [`${type} ${name}`, normalize(sql)]))
}

/** Every row of a table, in a stable order. */
export async function readRows(table: string): Promise<Record<string, unknown>[]> {
  return (await env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()).results
}
