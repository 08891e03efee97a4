import { queryRows, retry, type SqlDatabase } from './bindings.ts'

export interface Reference {
  readonly column: string
  readonly table: string
  readonly target: string
  /** Whether the column becomes NULL when the other row is gone. If not, this row goes, too. */
  readonly optional: boolean
}

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** The defaults, as SQL, of columns that can't be NULL. A backup of an earlier release doesn't have them. */
  readonly defaults: Readonly<Record<string, string>>
  readonly blobs: readonly string[]
  readonly key: readonly string[]
  readonly references: readonly Reference[]
}

/** Tables that no backup holds: they are about this moment or this copy of the database, or triggers fill them. */
const LEFT_OUT = [
  'd1_migrations',
  'heartbeat',
  'idempotency_keys',
  'mails_sent',
  'missing_contents',
  'orphaned_contents',
  'restore_progress',
  'sweep_progress',
  // Triggers count what a restore inserts.
  'usage',
  'verifications',
]

/**
 * Tables that a full backup leaves out, too. People sign in again after a restore, and the content whose deletion is
 * pending isn't in the backup.
 */
const LEFT_OUT_OF_FULL = ['detached_contents', 'sessions']

/** `full`: rows and content. `rows`: every row, but no content. */
export type BackupKind = 'full' | 'rows'

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly pk: number
  readonly notnull: number
  readonly dflt_value: string | null
}

interface ReferenceRow {
  readonly table: string
  readonly from: string
  readonly to: string
  readonly on_delete: string
}

/** Returns the tables that a backup holds, each after the tables that it refers to. */
export async function readTables(db: SqlDatabase, kind: BackupKind): Promise<Table[]> {
  const leftOut = new Set(kind === 'full' ? [...LEFT_OUT, ...LEFT_OUT_OF_FULL] : LEFT_OUT)
  const rows = await queryRows<{ name: string }>(
    db,
    String.raw`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
      AND name NOT LIKE '\_cf%' ESCAPE '\' ORDER BY name`,
  )
  const names = rows.map(({ name }) => name).filter((name) => !leftOut.has(name))
  if (!names.includes('documents')) throw new Error('The database has no tables.')
  const descriptions = await retry(() =>
    db.batch<ColumnRow | ReferenceRow>(
      names.flatMap((name) => [
        db.prepare(`PRAGMA table_info('${name}')`),
        db.prepare(`PRAGMA foreign_key_list('${name}')`),
      ]),
    ),
  )
  const tables: Table[] = []
  for (const [index, name] of names.entries()) {
    const columns = (descriptions[2 * index]?.results ?? []) as ColumnRow[]
    const references = (descriptions[2 * index + 1]?.results ?? []) as ReferenceRow[]
    // Only tables that never hold rows have no key: inserting into them makes a trigger check something.
    if (columns.every(({ pk }) => pk === 0)) continue
    tables.push({
      name,
      columns: columns.map((column) => column.name),
      defaults: Object.fromEntries(
        columns.flatMap(({ name, notnull, dflt_value }) =>
          notnull === 1 && dflt_value !== null ? [[name, dflt_value]] : [],
        ),
      ),
      blobs: columns.filter(({ type }) => type === 'BLOB').map((column) => column.name),
      key: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      references: references.map(({ table, from, to, on_delete }) => ({
        column: from,
        table,
        target: to,
        optional: on_delete === 'SET NULL',
      })),
    })
  }
  return sortByReferences(tables)
}

/** Users and documents come first: most tables refer to them. */
function sortByReferences(tables: readonly Table[]): Table[] {
  const sorted: Table[] = []
  let rest = [...tables]
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name))
    const ready = rest.filter(({ name, references }) =>
      references.every(({ table }) => table === name || !waiting.has(table)),
    )
    if (ready.length === 0) throw new Error('The tables refer to each other in a circle.')
    const rank = (table: Table) => ['users', 'documents'].indexOf(table.name)
    const [next] = ready.some((table) => rank(table) >= 0) ? ready.filter((table) => rank(table) >= 0) : ready
    if (next) sorted.push(next)
    rest = rest.filter((table) => table !== next)
  }
  return sorted
}
