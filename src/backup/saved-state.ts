import { type Bindings, retry, type SqlStatement } from './bindings.ts'
import type { RowValues } from './format.ts'
import { type OpenBackup, readRecords } from './read-records.ts'
import { RestoreRefusedError, requireColumns, verifyBackup } from './restore-backup.ts'
import type { Table } from './tables.ts'
import { insertStatement, splitRows, updateStatement } from './write-rows.ts'

export interface SavedIds {
  readonly keys: Set<string>
  readonly sessions: Set<string>
  readonly linkedAccounts: Set<string>
  readonly users: Set<string>
  readonly documents: Set<string>
  readonly pending: Set<string>
  readonly revisions: Set<string>
}

/** @throws RestoreRefusedError for another kind of backup. */
export async function readSavedIds(open: OpenBackup, tables: readonly Table[]): Promise<SavedIds> {
  const { header } = await verifyBackup(open, Date.now())
  if (header.kind !== 'rows') {
    throw new RestoreRefusedError(
      'The file is a full backup. Use one that "npm run recover -- --save" wrote.',
    )
  }
  requireColumns(header, tables)
  const ids = {
    keys: new Set<string>(),
    sessions: new Set<string>(),
    linkedAccounts: new Set<string>(),
    users: new Set<string>(),
    documents: new Set<string>(),
    pending: new Set<string>(),
    revisions: new Set<string>(),
  }
  for await (const { record } of readRecords(open())) {
    if (record.type !== 'row') continue
    const { table, values } = record
    if (table === 'api_keys') ids.keys.add(String(values.key_hash))
    if (table === 'sessions') ids.sessions.add(String(values.token_hash))
    if (table === 'linked_accounts') ids.linkedAccounts.add(String(values.id))
    if (table === 'users') ids.users.add(String(values.id))
    if (table === 'documents') ids.documents.add(String(values.id))
    if (table === 'revisions') ids.revisions.add(String(values.content_key))
    if (table === 'detached_contents') ids.pending.add(String(values.content_key))
  }
  return ids
}

/** Returns how many rows it wrote. */
export async function applySavedRows(
  { DB }: Bindings,
  open: OpenBackup,
  tables: readonly Table[],
): Promise<number> {
  let rows = new Map<Table, RowValues[]>()
  let count = 0
  for await (const { record } of readRecords(open())) {
    if (record.type === 'row') {
      const table = tables.find(({ name }) => name === record.table)
      if (!table) continue
      rows.set(table, [...(rows.get(table) ?? []), record.values])
      count += 1
    }
    if (record.type !== 'part') continue
    const statements: SqlStatement[] = [...rows].flatMap(([table, values]) =>
      splitRows(values).flatMap((json) =>
        [updateStatement(table), insertStatement(table)].flatMap((sql) =>
          sql ? [DB.prepare(sql).bind(json)] : [],
        ),
      ),
    )
    if (statements.length > 0) await retry(() => DB.batch(statements))
    rows = new Map()
  }
  return count
}
