import { join } from 'node:path'
import { SqliteNamespace } from '../../server/contents.ts'
import { SqliteDatabase } from '../../server/database.ts'
import { SqliteFile } from '../../server/sqlite.ts'
import { cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore } from '../../src/documents/content-store.ts'
import { Database } from '../../src/platform/database.ts'

// Cleans up the folder of a server that is off, as it would in the hours to come. Takes the folder.

const HOURS = [2, 3, 4]
const HOUR_MS = 3_600_000

const [folder = ''] = process.argv.slice(2)
const database = new SqliteFile(join(folder, 'regent.sqlite'))
const contents = new SqliteFile(join(folder, 'contents.sqlite'))
const env: Env = Object.assign(Object.create(null), {
  DB: new SqliteDatabase(database),
  CONTENTS: new SqliteNamespace(contents),
})
const store = { db: new Database(env.DB, 60_000), contents: new ContentStore(env.CONTENTS, 60_000) }
for (const hours of HOURS) {
  const now = Date.now() + hours * HOUR_MS
  const report = await cleanup(store, {
    now,
    budgetMs: 600_000,
    clock: Date.now,
    orphanGraceMs: 0,
    maxKeys: 1_000_000,
  })
  if (report.refused !== null) throw new Error(report.refused)
  process.stdout.write(`cleanup in ${hours} hours: ${JSON.stringify(report)}\n`)
}
database.close()
contents.close()
