import type { Row, StorageClient } from '../../../scripts/support/database.ts'
import type { Bindings } from '../../../scripts/support/storage.ts'
import { splitStatements } from '../../scripts/support/commands.ts'

/** Runs one statement on the database of a server, and returns its rows. */
export const queryDatabase = async ({ DB }: Bindings, sql: string): Promise<Row[]> =>
  (await DB.prepare(sql).all<Row>()).results

/** Returns the storage of a server, for commands that run in this process. */
export const openStorage = ({ DB, CONTENTS }: Bindings): StorageClient => ({
  execute: async (sql) => {
    const statements = splitStatements(sql).map((statement) => DB.prepare(statement))
    return (await DB.batch<Row>(statements)).map(({ results }) => results)
  },
  readContent: async (key) => (await CONTENTS.get([key], 'text')).get(key) ?? null,
})
