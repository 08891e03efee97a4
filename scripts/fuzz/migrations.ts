import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchDatabase } from '../runtime/worker.ts'
import { ROOT } from '../support/wrangler.ts'

/** Records the migrations as applied, as wrangler does: a database made from schema.sql has no such table. */
export async function recordMigrations(database: BenchDatabase): Promise<void> {
  const names = (await readdir(join(ROOT, 'migrations'))).filter((name) => name.endsWith('.sql')).sort()
  await database.batch([
    database.prepare('CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)'),
    ...names.map((name) =>
      database.prepare('INSERT OR IGNORE INTO d1_migrations (name) VALUES (?1)').bind(name),
    ),
  ])
}
