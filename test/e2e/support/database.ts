import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Runs statements on the local D1 database of a running service. A command of wrangler would take seconds. */
export function withDatabase<Result>(folder: string, use: (database: DatabaseSync) => Result): Result {
  const [file] = globSync(join(folder, 'v3/d1/*/*.sqlite')).filter(
    (path) => !path.endsWith('metadata.sqlite'),
  )
  if (file === undefined) throw new Error(`no database in ${folder}`)
  const database = new DatabaseSync(file, { timeout: 10_000 })
  try {
    return use(database)
  } finally {
    database.close()
  }
}
