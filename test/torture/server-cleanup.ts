import { join } from 'node:path'
import { SqliteNamespace } from '../../server/contents.ts'
import { SqliteDatabase } from '../../server/database.ts'
import { SqliteFile } from '../../server/sqlite.ts'
import { cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore } from '../../src/documents/content-store.ts'
import { Database } from '../../src/platform/database.ts'

// Cleans up the folder of a server that is off, as it would in the hours to come. Takes the folder.

/** A run has the budget of a Worker, and deletes less than a thousand contents. */
const MAX_RUNS = 200
const HOUR_MS = 3_600_000

const [folder = ''] = process.argv.slice(2)
const database = new SqliteFile(join(folder, 'regent.sqlite'))
const contents = new SqliteFile(join(folder, 'contents.sqlite'))
const env: Env = Object.assign(Object.create(null), {
  DB: new SqliteDatabase(database),
  CONTENTS: new SqliteNamespace(contents),
})
const store = { db: new Database(env.DB, 60_000), contents: new ContentStore(env.CONTENTS, 60_000) }
let runs = 0
let deleted = 0
// What a run finds without a row, a later one deletes.
for (let idle = 0; idle < 2; runs += 1) {
  if (runs === MAX_RUNS) throw new Error(`Cleanup isn't complete after ${runs} runs`)
  const now = Date.now() + (2 + runs) * HOUR_MS
  // As if it were a day later: each run searches for orphaned content.
  await env.DB.prepare('UPDATE sweep_progress SET searched_at = NULL').run()
  const report = await cleanup(store, {
    now,
    budgetMs: 600_000,
    clock: Date.now,
    orphanGraceMs: 0,
    maxKeys: 1_000_000,
  })
  if (report.refused !== null) throw new Error(report.refused)
  const done = report.expired + report.deleted + report.found + report.orphaned
  deleted += report.deleted + report.orphaned
  idle = report.complete && done === 0 ? idle + 1 : 0
}
process.stdout.write(`Cleanup took ${runs} runs, and deleted ${deleted} contents\n`)
database.close()
contents.close()
