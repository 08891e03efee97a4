import { env } from 'cloudflare:workers'

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

/** Deletes everything in KV. */
export async function wipeContents(): Promise<void> {
  for (;;) {
    const { keys, list_complete } = await env.CONTENTS.list()
    await Promise.all(keys.map(({ name }) => env.CONTENTS.delete(name)))
    if (list_complete) return
  }
}
