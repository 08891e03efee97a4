import { splitBySize } from '../../src/shared/split-by-size.ts'
import { queryRows, type SqlDatabase } from '../support/storage.ts'
import type { RowValues, Table } from './format.ts'
import { type OpenBackup, readRecords } from './read-records.ts'

/** D1 accepts parameters of two megabytes. */
const MAX_PARAMETER_CHARACTERS = 500_000
const ROWS_PER_STATEMENT = 100

/** JSON lists that fit into a parameter. */
export function splitRows(rows: readonly RowValues[]): string[] {
  const jsons = rows.map((row) => JSON.stringify(row))
  const lists = splitBySize(jsons, ({ length }) => length, { maxBytes: MAX_PARAMETER_CHARACTERS })
  return lists.map((list) => `[${list.join()}]`)
}

const read = (column: string): string => `row.value ->> '${column}'`

/** A reference to something that is gone becomes NULL. */
function columnValue(table: Table, column: string): string {
  if (table.blobs.includes(column)) return `unhex(${read(column)})`
  const reference = table.references.find((candidate) => candidate.column === column && candidate.optional)
  const standard = table.defaults[column]
  if (!reference) return standard === undefined ? read(column) : `ifnull(${read(column)}, ${standard})`
  return `(SELECT ${reference.target} FROM ${reference.table} WHERE ${reference.target} = ${read(column)})`
}

/** Counts the revisions from JSON that the next statement inserts. A trigger counts documents. */
const COUNT_REVISIONS = `
  UPDATE usage SET bytes = usage.bytes + added.bytes
    FROM (
      SELECT account.value AS account_id, sum(row.value ->> 'content_bytes') AS bytes
        FROM json_each(?1) AS row JOIN documents AS d ON d.id = row.value ->> 'document_id'
          JOIN json_each(json_array('', d.creator_id)) AS account
        WHERE NOT EXISTS (SELECT 1 FROM revisions WHERE document_id = d.id AND number = row.value ->> 'number')
        GROUP BY account.value
    ) AS added
    WHERE usage.account_id = added.account_id`

/**
 * The names of documents are set last, and only those that are free: a document is worth more than its name, and two may have
 * had it at the times when the backup read them.
 */
const getRowColumns = ({ name, columns }: Table): readonly string[] =>
  name === 'documents' ? columns.filter((column) => column !== 'name') : columns

const hasNames = ({ name, columns }: Table): boolean => name === 'documents' && columns.includes('name')

const SAME_DOCUMENT = `documents.id = ${read('id')} AND documents.content_key = ${read('content_key')}`

const SET_NAMES = `
  UPDATE OR IGNORE documents SET name = ${read('name')} FROM json_each(?1) AS row
    WHERE ${SAME_DOCUMENT} AND documents.name IS NULL AND ${read('name')} IS NOT NULL`

/** Comes before the names are set. */
const CLEAR_NAMES = `
  UPDATE documents SET name = NULL FROM json_each(?1) AS row
    WHERE ${SAME_DOCUMENT} AND documents.name IS NOT ${read('name')}`

/** Inserts rows from JSON that the table lacks. Leaves out those that need a row that is gone. */
export function insertStatements(table: Table): string[] {
  const columns = getRowColumns(table)
  const values = columns.map((column) => columnValue(table, column))
  const conditions = table.references
    .filter(({ optional }) => !optional)
    .map(
      (reference) =>
        `AND EXISTS (SELECT 1 FROM ${reference.table} WHERE ${reference.target} = ${read(reference.column)})`,
    )
  const insert = `INSERT OR IGNORE INTO ${table.name} (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM json_each(?1) AS row WHERE true ${conditions.join(' ')}`
  if (hasNames(table)) return [insert, SET_NAMES]
  return table.name === 'revisions' ? [COUNT_REVISIONS, insert] : [insert]
}

/** Make rows equal to those in JSON. Rows that are equal already aren't touched, so no trigger runs. */
export function updateStatements(table: Table): string[] {
  const columns = getRowColumns(table).filter((column) => !table.key.includes(column))
  if (columns.length === 0) return []
  const key = table.key.map((column) => `${table.name}.${column} = ${read(column)}`)
  const differences = columns.map((column) => `${table.name}.${column} IS NOT ${columnValue(table, column)}`)
  const update = `UPDATE OR IGNORE ${table.name}
    SET ${columns.map((column) => `${column} = ${columnValue(table, column)}`).join(', ')}
    FROM json_each(?1) AS row WHERE ${key.join(' AND ')} AND (${differences.join(' OR ')})`
  return hasNames(table) ? [update, CLEAR_NAMES] : [update]
}

/** Sets the accounts' counters to those in a backup: a trigger has counted the restored documents in them. */
export async function restoreCounters(db: SqlDatabase, open: OpenBackup): Promise<void> {
  const restore = async (rows: readonly RowValues[]) => {
    for (const json of splitRows(rows)) {
      await queryRows(
        db,
        `UPDATE users SET documents_made = row.value ->> 'documents_made'
          FROM json_each(?1) AS row WHERE users.id = row.value ->> 'id'`,
        json,
      )
    }
  }
  let rows: RowValues[] = []
  for await (const { record } of readRecords(open())) {
    // Accounts come first, then documents.
    if (record.type === 'row' && record.table !== 'users') break
    if (record.type === 'row') rows.push(record.values)
    if (rows.length < ROWS_PER_STATEMENT) continue
    await restore(rows)
    rows = []
  }
  await restore(rows)
}
