import type { Instant } from '../../src/shared/instant.ts'
import { queryRows, retry, type SqlDatabase, type SqlValue } from '../support/storage.ts'

export interface Reference {
  readonly column: string
  readonly table: string
  readonly target: string
  /** The column becomes NULL when the other row is gone. Otherwise this row goes, too. */
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
  'invitations',
  'mails_sent',
  'missing_contents',
  'orphaned_contents',
  'restore_progress',
  'sweep_progress',
  // Triggers count what a restore inserts.
  'usage',
  'verifications',
]

/** People sign in again after a restore. Content that nobody may read isn't in the backup. */
const LEFT_OUT_OF_FULL = ['detached_contents', 'removed_documents', 'sessions']

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

/** Each after the tables that it refers to. */
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

interface PagesOptions<Row, Key> {
  /** Where the first page starts. */
  readonly from: Key
  readonly limit: number
  readonly getKey: (row: Row) => Key
}

/** The rows after a key, page by page. The last page may be empty. */
export async function* readPages<Row, Key>(
  readPage: (after: Key) => Promise<Row[]>,
  { from, limit, getKey }: PagesOptions<Row, Key>,
): AsyncGenerator<Row[]> {
  for (let after = from; ; ) {
    const rows = await readPage(after)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = getKey(last)
  }
}

/** The first parameters of the statement are the key, and then come `parameters`. */
export const pageRows = <Row>(
  db: SqlDatabase,
  sql: string,
  {
    parameters = [],
    ...options
  }: PagesOptions<Row, readonly SqlValue[]> & { parameters?: readonly SqlValue[] },
): AsyncGenerator<Row[]> =>
  readPages((after) => queryRows<Row>(db, `${sql} LIMIT ${options.limit}`, ...after, ...parameters), options)

/** Increases when an older program can't read the files. */
export const FORMAT_VERSION = 1

/** A row by its columns. Bytes are written in hexadecimal. */
export type RowValues = Readonly<Record<string, SqlValue>>

export interface HeaderRecord {
  readonly type: 'backup'
  readonly version: number
  /** Random. Tells a restore which backup it has begun. */
  readonly id: string
  readonly kind: BackupKind
  /** Milliseconds since 1970. Documents created later aren't in a full backup. */
  readonly started_at: Instant
  readonly burn_after_reading: boolean
  readonly tables: Readonly<Record<string, readonly string[]>>
  /** The references of each table. Files of earlier releases don't have them. */
  readonly references?: Readonly<Record<string, readonly Reference[]>>
}

interface RowRecord {
  readonly type: 'row'
  readonly table: string
  readonly values: RowValues
}

/** Followed by the bytes themselves and a line feed. The row of its document comes next. */
export interface ContentRecord {
  readonly type: 'content'
  readonly key: string
  readonly document: string
  readonly until: Instant
  readonly bytes: number
  readonly sha256: string
}

/** Content that a row refers to and KV doesn't have. Nothing of it can be restored. */
export interface MissingRecord {
  readonly type: 'missing'
  readonly document: string
  /** The number of a revision; null for the document itself, whose revisions aren't in the file then either. */
  readonly revision: number | null
  readonly key: string
  /** The row: for a document, all that is left of it. */
  readonly values: RowValues
}

/** Ends a part. A file consists of whole parts, each compressed by itself. */
interface PartRecord {
  readonly type: 'part'
  readonly number: number
  /** The hash of the lines of this part and the checksum of the part before, without the bytes of content. */
  readonly sha256: string
}

export interface EndRecord {
  readonly type: 'end'
  readonly rows: Readonly<Record<string, number>>
  readonly contents: number
  readonly content_bytes: number
  /** Files of earlier releases don't say. */
  readonly missing?: { readonly documents: number; readonly revisions: number }
}

export type BackupRecord = HeaderRecord | RowRecord | ContentRecord | MissingRecord | PartRecord | EndRecord

export const encoder = new TextEncoder()
export const LINE_FEED = 10

export async function hash(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === 'string' ? encoder.encode(data) : data
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
