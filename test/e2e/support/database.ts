import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row, StorageClient } from '../../../scripts/support/database.ts'
import { splitStatements } from '../../scripts/support/commands.ts'

const addressFile = (folder: string) => join(folder, 'address')

/** Remembers which service has its database in a folder. */
export const saveAddress = (folder: string, base: string): void => writeFileSync(addressFile(folder), base)

/** The API of the local explorer, which `wrangler dev` serves beside the Worker. */
const explorerUrl = (folder: string) =>
  `${readFileSync(addressFile(folder), 'utf8')}/cdn-cgi/local/explorer/api`

interface Answer {
  readonly errors: readonly { readonly message: string }[]
  readonly result:
    | readonly { readonly results: { readonly columns: string[]; readonly rows: Row[string][][] } }[]
    | null
}

/**
 * Runs one statement on the local D1 database of a running service and returns its rows. The service itself
 * runs it: if another process wrote to the file, the service's own writes could fail with SQLITE_BUSY.
 */
export async function queryDatabase(folder: string, sql: string): Promise<Row[]> {
  const response = await fetch(`${explorerUrl(folder)}/d1/database/DB/raw`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sql }),
  })
  const { errors, result } = (await response.json()) as Answer
  if (!result) throw new Error(errors.map(({ message }) => message).join('; '))
  return result.flatMap(({ results: { columns, rows } }) =>
    rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))),
  )
}

async function readContent(folder: string, key: string): Promise<string | null> {
  const path = `storage/kv/namespaces/CONTENTS/values/${encodeURIComponent(key)}`
  const response = await fetch(`${explorerUrl(folder)}/${path}`)
  return response.ok ? response.text() : null
}

/** Returns the storage of a running service, for commands in this process: starting wrangler takes seconds. */
export const openStorage = (folder: string): StorageClient => ({
  execute: async (sql) => {
    const results: Row[][] = []
    for (const statement of splitStatements(sql)) results.push(await queryDatabase(folder, statement))
    return results
  },
  readContent: (key) => readContent(folder, key),
})
