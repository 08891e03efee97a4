import { type Bindings, forEachParallel, query, retry, type SqlValue } from './bindings.ts'
import { type ContentRecord, type EndRecord, FORMAT_VERSION, hash, type RowValues } from './format.ts'
import { PartWriter } from './part-writer.ts'
import { type BackupKind, readTables, type Table } from './tables.ts'

const ROWS_PER_PAGE = 100
/** A part ends after this many rows or bytes. Only a single document can make it much larger. */
const ROWS_PER_PART = 200
const PART_BYTES = 8 * 1024 * 1024
/** How many bytes of content are fetched at once, if not a single document has more. */
const GROUP_BYTES = 16 * 1024 * 1024
/** How many documents are fetched from KV at the same time. */
const PARALLEL_READS = 6

/** How far a backup has got. Together with the parts until then, it's all that continuing needs. */
export interface BackupProgress {
  readonly id: string
  readonly kind: BackupKind
  readonly startedAt: number
  readonly burnAfterReading: boolean
  readonly parts: number
  readonly sha256: string
  /** Where to continue: in this table, after this key. Null in a new backup and after the last table. */
  readonly table: string | null
  readonly after: readonly SqlValue[] | null
  readonly counts: Omit<EndRecord, 'type'>
  /** Whether the last part has been written. */
  readonly finished: boolean
}

export interface BackupPart {
  readonly chunks: readonly Uint8Array[]
  readonly progress: BackupProgress
}

/** Begins a backup. */
export const beginBackup = (options: {
  kind: BackupKind
  now: number
  burnAfterReading: boolean
}): BackupProgress => ({
  id: crypto.randomUUID(),
  kind: options.kind,
  startedAt: options.now,
  burnAfterReading: options.burnAfterReading,
  parts: 0,
  sha256: '',
  table: null,
  after: null,
  counts: { rows: {}, contents: 0, content_bytes: 0 },
  finished: false,
})

/**
 * Reads rows and content, part by part, while the service runs. A document is written with the content that its row
 * refers to at that moment. Documents that expire, are deleted or are burned in between are left out.
 *
 * @param from the progress of the last part that was written, or of a new backup.
 */
export async function* writeBackup(bindings: Bindings, from: BackupProgress): AsyncGenerator<BackupPart> {
  const tables = await readTables(bindings.DB, from.kind)
  let progress = from
  let part = new PartWriter()
  const rows = { ...from.counts.rows }
  let { contents, content_bytes } = from.counts
  const endPart = async (
    position: Pick<BackupProgress, 'table' | 'after' | 'finished'>,
  ): Promise<BackupPart> => {
    const number = progress.parts + 1
    const { chunks, sha256 } = await part.end(number, progress.sha256)
    progress = {
      ...progress,
      ...position,
      parts: number,
      sha256,
      counts: { rows: { ...rows }, contents, content_bytes },
    }
    part = new PartWriter()
    return { chunks, progress }
  }

  if (from.parts === 0) {
    part.add({
      type: 'backup',
      version: FORMAT_VERSION,
      id: from.id,
      kind: from.kind,
      started_at: from.startedAt,
      burn_after_reading: from.burnAfterReading,
      tables: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
    })
  }
  const first = Math.max(
    0,
    tables.findIndex(({ name }) => name === from.table),
  )
  for (const table of tables.slice(first)) {
    const after = table.name === from.table ? from.after : null
    // Documents bring theirs with them.
    if (table.name === 'revisions' && from.kind === 'full') continue
    for await (const entry of readEntries(bindings, table, { after, progress: from, tables })) {
      const { row } = entry
      for (const { name, values, content } of [
        { name: table.name, values: row, content: entry.content },
        ...entry.revisions,
      ]) {
        if (content) {
          part.add(await toContentRecord(row, values, content), content)
          contents += 1
          content_bytes += content.length
        }
        part.add({ type: 'row', table: name, values })
        rows[name] = (rows[name] ?? 0) + 1
      }
      if (part.bytes >= PART_BYTES || part.rows >= ROWS_PER_PART) {
        yield await endPart({ table: table.name, after: getKey(table, row), finished: false })
      }
    }
  }
  part.add({ type: 'end', rows, contents, content_bytes })
  yield await endPart({ table: null, after: null, finished: true })
}

/** Reads the next rows of a table, in the order of its key. */
async function readPage(
  { DB }: Bindings,
  table: Table,
  after: readonly SqlValue[] | null,
  { kind, startedAt, burnAfterReading }: BackupProgress,
): Promise<RowValues[]> {
  const columns = table.columns.map((column) =>
    table.blobs.includes(column) ? `hex(${column}) AS ${column}` : column,
  )
  const key = table.key.join(', ')
  const isFull = table.name === 'documents' && kind === 'full'
  const conditions = [
    ...(after ? [`(${key}) > (${after.map((_, index) => `?${index + 1}`).join(', ')})`] : []),
    ...(isFull ? [`created_at <= ${startedAt}`, `expires_at > ${Date.now()}`] : []),
    ...(isFull && !burnAfterReading ? ['instant_delete = 0'] : []),
  ]
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const sql = `SELECT ${columns.join(', ')} FROM ${table.name} ${where} ORDER BY ${key} LIMIT ${ROWS_PER_PAGE}`
  return query<RowValues>(DB, sql, ...(after ?? []))
}

interface Entry {
  readonly row: RowValues
  readonly content: Uint8Array<ArrayBuffer> | null
  /** Of a document: its revisions. They are in the same part, so that a restore takes both or neither. */
  readonly revisions: readonly {
    readonly name: 'revisions'
    readonly values: RowValues
    readonly content: Uint8Array<ArrayBuffer>
  }[]
}

/** Reads the rows of a table from a key on, documents with their content. */
async function* readEntries(
  bindings: Bindings,
  table: Table,
  {
    after,
    progress,
    tables,
  }: {
    after: readonly SqlValue[] | null
    progress: BackupProgress
    tables: readonly Table[]
  },
): AsyncGenerator<Entry> {
  for (let from = after; ; ) {
    const page = await readPage(bindings, table, from, progress)
    if (table.name === 'documents' && progress.kind === 'full') {
      for (const group of splitBySize(page)) {
        for (const entry of await readContents(bindings, group, progress)) {
          yield { ...entry, revisions: await readRevisions(bindings, entry.row, tables) }
        }
      }
    } else {
      for (const row of page) yield { row, content: null, revisions: [] }
    }
    const last = page.at(-1)
    if (!last || page.length < ROWS_PER_PAGE) return
    from = getKey(table, last)
  }
}

const getKey = (table: Table, row: RowValues): SqlValue[] => table.key.map((column) => row[column] ?? null)

/** Splits documents into groups whose content fits into memory. */
function splitBySize(rows: readonly RowValues[]): RowValues[][] {
  const groups: RowValues[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const size = Number(row.content_bytes)
    if (bytes + size > GROUP_BYTES) {
      groups.push([])
      bytes = 0
    }
    bytes += size
    groups.at(-1)?.push(row)
  }
  return groups
}

/** Fetches the content of documents. Leaves out those that are gone. */
async function readContents(
  bindings: Bindings,
  rows: readonly RowValues[],
  progress: BackupProgress,
): Promise<Entry[]> {
  const found = new Map<RowValues, Entry>()
  await forEachParallel(rows, PARALLEL_READS, async (row) => {
    const entry = await readContent(bindings, row, progress)
    if (entry) found.set(row, entry)
  })
  return rows.flatMap((row) => found.get(row) ?? [])
}

/** Reads the revisions of a document with their content. Leaves out those that have just been deleted. */
async function readRevisions(
  { DB, CONTENTS }: Bindings,
  document: RowValues,
  tables: readonly Table[],
): Promise<Entry['revisions']> {
  const columns = tables.find(({ name }) => name === 'revisions')?.columns
  // Numbers from the document's own on have become revisions since its row was read.
  const sql = `SELECT ${columns?.join(', ')} FROM revisions WHERE document_id = ?1 AND number < ?2 ORDER BY number`
  const rows = columns ? await query<RowValues>(DB, sql, String(document.id), Number(document.revision)) : []
  const found = new Map<RowValues, Uint8Array<ArrayBuffer>>()
  await forEachParallel(rows, PARALLEL_READS, async (row) => {
    const content = await retry(() => CONTENTS.get(String(row.content_key), 'arrayBuffer'))
    if (content) found.set(row, new Uint8Array(content))
  })
  return rows.flatMap((values) => {
    const content = found.get(values)
    return content ? [{ name: 'revisions', values, content }] : []
  })
}

const toContentRecord = async (
  document: RowValues,
  row: RowValues,
  content: Uint8Array<ArrayBuffer>,
): Promise<ContentRecord> => ({
  type: 'content',
  key: String(row.content_key),
  document: String(document.id),
  until: Number(row.content_until),
  bytes: content.length,
  sha256: await hash(content),
})

/** Fetches the content of a document. If it has just been edited, reads its row again. Null if it's gone. */
async function readContent(
  { DB, CONTENTS }: Bindings,
  row: RowValues,
  { burnAfterReading }: BackupProgress,
): Promise<Entry | null> {
  for (let current: RowValues | undefined = row; current; ) {
    const key: string = String(current.content_key)
    const content = await retry(() => CONTENTS.get(key, 'arrayBuffer'))
    if (content) return { row: current, content: new Uint8Array(content), revisions: [] }
    const [again]: RowValues[] = await query<RowValues>(
      DB,
      'SELECT * FROM documents WHERE id = ?1',
      String(row.id),
    )
    if (again?.content_key === key || (again?.instant_delete === 1 && !burnAfterReading)) return null
    current = again
  }
  return null
}
