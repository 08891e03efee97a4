import { env } from 'cloudflare:workers'
import { contentCache } from '../../../src/documents/content-store.ts'
import { resetDatabase } from './wipe.ts'

type Rows = readonly Record<string, unknown>[]

/** Every row of a database. */
export type DatabaseCopy = ReadonlyMap<string, Rows>

/** Copies the database. */
export async function copyDatabase(): Promise<DatabaseCopy> {
  const { results } = await env.DB.prepare(
    String.raw`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\_cf%' ESCAPE '\'
      AND name NOT LIKE 'sqlite%' AND name <> 'd1_migrations' ORDER BY name <> 'users', name <> 'documents', name`,
  ).all<{ name: string }>()
  const copy = new Map<string, Rows>()
  for (const { name } of results)
    copy.set(name, (await env.DB.prepare(`SELECT * FROM ${name}`).all()).results)
  return copy
}

/** Puts the database back to the time of a copy, as D1's Time Travel does. KV stays as it is. */
export async function travelBack(copy: DatabaseCopy): Promise<void> {
  contentCache.clear()
  await resetDatabase()
  const statements = [...copy].flatMap(([table, rows]) =>
    rows.map((row) => {
      const columns = Object.keys(row)
      return env.DB.prepare(
        `INSERT OR REPLACE INTO ${table} (${columns.join()})
          VALUES (${columns.map((_, index) => `?${index + 1}`).join()})`,
      ).bind(...Object.values(row))
    }),
  )
  // A trigger has counted the documents.
  const counters = (copy.get('users') ?? []).map(({ id, documents_made }) =>
    env.DB.prepare('UPDATE users SET documents_made = ?2 WHERE id = ?1').bind(id, documents_made),
  )
  await env.DB.batch([...statements, ...counters])
}
