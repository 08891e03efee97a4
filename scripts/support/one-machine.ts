import { SqliteDatabase } from '../../server/database.ts'
import { explainFaults, migrateFolder, noData, openFiles, requireFiles } from '../../server/files.ts'
import { getSqliteCode, type SqliteFile } from '../../server/sqlite.ts'
import type { Row, StorageClient } from './database.ts'
import { CommandError } from './script.ts'
import { type Bindings, type ContentMetadata, retry } from './storage.ts'

/** The storage of a server on one machine (`npm start`), as the commands use it with `--data`. */

const isSqlError = (error: unknown): error is Error => error instanceof Error && getSqliteCode(error) !== null

const toMessage = ({ message }: Error): string => message.replace(/^D1_ERROR: /, '')

/**
 * Opens the files of a folder, and closes them after the work. A server may use them meanwhile: each statement sees one
 * state of them, and a transaction takes milliseconds.
 *
 * @throws CommandError if there is no server's data, or if something is wrong with the files.
 */
export async function withServerFiles<T>(
  folder: string,
  work: (bindings: Bindings, database: SqliteFile) => Promise<T>,
): Promise<T> {
  await requireFiles(folder)
  const { database, contents, close } = await openFiles<ContentMetadata>(folder)
  try {
    const hasTables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'users'").get()
    if (hasTables === undefined) throw noData(folder)
    const bindings = { DB: new SqliteDatabase(database), CONTENTS: contents }
    return await explainFaults(folder, () => work(bindings, database))
  } catch (error) {
    if (!isSqlError(error) || !error.message.includes('no such ')) throw error
    throw new CommandError(
      `The data in ${folder} is from another version of Regent (${toMessage(error)}). Start the server, which upgrades it.`,
    )
  } finally {
    close()
  }
}

/** Splits statements where SQLite does. */
function* splitStatements(database: SqliteFile, sql: string): Generator<string> {
  for (let rest = sql; rest.trim() !== ''; ) {
    const { sourceSQL } = database.prepare(rest)
    yield sourceSQL
    rest = rest.slice(sourceSQL.length)
  }
}

/** Runs statements as one transaction, and returns the rows of each. */
async function execute(folder: string, sql: string): Promise<Row[][]> {
  try {
    return await withServerFiles(folder, async ({ DB }, database) => {
      const statements = [...splitStatements(database, sql)].map((statement) => DB.prepare(statement))
      const results = await retry(() => DB.batch<Row>(statements))
      return results.map((result) => result.results)
    })
  } catch (error) {
    throw isSqlError(error) ? new CommandError(toMessage(error)) : error
  }
}

export const openServerStorage = (folder: string): StorageClient => ({
  execute: (sql) => execute(folder, sql),
  readContent: (key, bytes) =>
    withServerFiles(folder, async ({ CONTENTS }) => {
      const content = await CONTENTS.get(key, 'arrayBuffer')
      return content?.byteLength === bytes ? Buffer.from(content).toString('utf8') : null
    }),
})

/** Creates the files if there are none. Call it only with the lock of the folder. */
export async function migrateServerFiles(folder: string): Promise<void> {
  const { database, close } = await openFiles(folder)
  try {
    await migrateFolder(folder, database)
  } finally {
    close()
  }
}
