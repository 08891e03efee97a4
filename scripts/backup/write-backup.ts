import { auditStatement } from '../../src/platform/audit-log.ts'
import { hashTombstone, type TombstoneKind } from '../../src/shared/hashing.ts'
import type { Instant } from '../../src/shared/instant.ts'
import { splitBySize } from '../../src/shared/split-by-size.ts'
import type { Statement } from '../../src/shared/statement.ts'
import { CommandError } from '../support/command-error.ts'
import {
  type ContentReference,
  queryRows,
  type ReadableStorage,
  readContents,
  runStatements,
  type SqlDatabase,
  type SqlValue,
} from '../support/storage.ts'
import {
  type BackupKind,
  type BackupRecord,
  type EndRecord,
  encoder,
  FORMAT_VERSION,
  hash,
  LINE_FEED,
  type MissingRecord,
  type RowValues,
  readPages,
  readTables,
  type Table,
} from './format.ts'

class PartWriter {
  readonly #chunks: Uint8Array[] = []
  #lines = ''
  #bytes = 0
  #rows = 0

  get bytes(): number {
    return this.#bytes
  }

  get rows(): number {
    return this.#rows
  }

  add(record: BackupRecord, content?: Uint8Array): void {
    if (record.type === 'row') this.#rows += 1
    const line = `${JSON.stringify(record)}\n`
    this.#lines += line
    this.#push(encoder.encode(line))
    if (content) {
      this.#push(content)
      this.#push(Uint8Array.of(LINE_FEED))
    }
  }

  async end(number: number, previous: string): Promise<{ chunks: readonly Uint8Array[]; sha256: string }> {
    const sha256 = await hash(previous + this.#lines)
    this.add({ type: 'part', number, sha256 })
    return { chunks: this.#chunks, sha256 }
  }

  #push(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#bytes += bytes.length
  }
}

const ROWS_PER_PAGE = 100
/** A part ends after this many rows or bytes. Only a single document can make it much larger. */
const ROWS_PER_PART = 200
const PART_BYTES = 8 * 1024 * 1024
/** Fetched at once, if not a single document has more with its revisions. */
const GROUP_BYTES = 16 * 1024 * 1024
/** Pauses before content is looked for again that KV doesn't have. */
const MISSING_PAUSES_MS = [1_000, 2_000]
/** How often a document is read that somebody edits each time. */
const MAX_ATTEMPTS = 10
/** If this share of the content is missing, the namespace is probably another one. */
const WRONG_NAMESPACE_SHARE = 0.9

export type BackupProgress = Readonly<ReturnType<typeof beginBackup>>

export interface BackupPart {
  readonly chunks: readonly Uint8Array[]
  readonly progress: BackupProgress
}

export const beginBackup = (options: { kind: BackupKind; now: Instant; burnAfterReading: boolean }) => ({
  id: crypto.randomUUID() as string,
  kind: options.kind,
  startedAt: options.now,
  burnAfterReading: options.burnAfterReading,
  parts: 0,
  sha256: '',
  /** Where to continue. Null in a new backup and after the last table. */
  table: null as string | null,
  after: null as readonly SqlValue[] | null,
  /** Documents whose content, or that of a revision, wasn't in KV. The file lists them last. */
  postponed: [] as readonly string[] | undefined,
  counts: {
    rows: {},
    contents: 0,
    content_bytes: 0,
    missing: { documents: 0, revisions: 0 },
  } as Omit<EndRecord, 'type'>,
  finished: false,
})

/** Records a backup. From then on, a deletion of something that it may hold leaves a tombstone. */
export const rememberBackup = (id: string, startedAt: Instant): Statement => [
  'INSERT OR IGNORE INTO backups (started_at, id) VALUES (?1, ?2)',
  startedAt,
  id,
]

/** Lists which of the tables that know of backups are there: a database of an earlier release can't remember one. */
const listTables = async (db: SqlDatabase): Promise<string[]> =>
  (
    await queryRows<{ name: string }>(
      db,
      "SELECT name FROM sqlite_master WHERE name IN ('audit_log', 'backups')",
    )
  ).map(({ name }) => name)

/** Returns false if the backup was begun from another service, or so long ago that it's forgotten. */
export async function hasRecorded(db: SqlDatabase, { id }: BackupProgress): Promise<boolean> {
  if (!(await listTables(db)).includes('backups')) return true
  return (await queryRows(db, 'SELECT 1 FROM backups WHERE id = ?1', id)).length > 0
}

/** Comes before the backup reads anything. */
export async function recordBackup(
  db: SqlDatabase,
  { id, kind, startedAt, burnAfterReading }: BackupProgress,
  { actor, now }: { actor: string; now: Instant },
): Promise<void> {
  const tables = await listTables(db)
  const what = kind === 'rows' ? 'rows without content' : 'rows and content'
  const detail = burnAfterReading && kind === 'full' ? `${what}, also what burns after reading` : what
  const statements = [
    ...(tables.includes('backups') && kind === 'full' ? [rememberBackup(id, startedAt)] : []),
    ...(tables.includes('audit_log')
      ? [auditStatement({ actor, action: 'backup.create', subject: id, detail, now })]
      : []),
  ]
  if (statements.length > 0) await runStatements(db, statements)
}

/** The first hundred ids are random. @throws CommandError: KV is probably bound to another namespace. */
export async function requireContents(
  { DB, CONTENTS }: ReadableStorage,
  { now, atLeast = 1 }: { now: Instant; atLeast?: number },
): Promise<void> {
  const rows = await queryRows<RowValues>(
    DB,
    `SELECT content_key, content_bytes, encrypted FROM documents
      WHERE expires_at > ?1 AND instant_delete = 0 AND content_bytes <= 1000000 ORDER BY id LIMIT 100`,
    now,
  )
  const found = await readContents(CONTENTS, rows.map(toReference))
  const missing = rows.length - found.size
  if (missing < atLeast || missing < rows.length * WRONG_NAMESPACE_SHARE) return
  throw new CommandError(
    `This looks like the wrong namespace: KV has the content of ${found.size} of ${rows.length} documents. Check the id of CONTENTS in the configuration, or the folder of a local service. If the content is really gone, see docs/recovery.md.`,
  )
}

/**
 * Runs part by part, while the service runs. A document is written with the content that its row refers to at that
 * moment, without what expires, is deleted or is burned in between. Missing content is looked for again at the end.
 */
export async function* writeBackup(
  storage: ReadableStorage,
  from: BackupProgress,
): AsyncGenerator<BackupPart> {
  const tables = await readTables(storage.DB, from.kind)
  let progress = from
  let part = new PartWriter()
  let postponed = [...(from.postponed ?? [])]
  const rows = { ...from.counts.rows }
  const missing = { documents: 0, revisions: 0, ...from.counts.missing }
  let { contents, content_bytes } = from.counts
  const endPart = async (
    position: Pick<BackupProgress, 'table' | 'after' | 'finished'>,
  ): Promise<BackupPart> => {
    const number = progress.parts + 1
    const { chunks, sha256 } = await part.end(number, progress.sha256)
    const counts = { rows: { ...rows }, contents, content_bytes, missing: { ...missing } }
    progress = { ...progress, ...position, parts: number, sha256, postponed: [...postponed], counts }
    part = new PartWriter()
    return { chunks, progress }
  }
  const isFull = () => part.bytes >= PART_BYTES || part.rows >= ROWS_PER_PART
  const addRow = (table: string, values: RowValues) => {
    part.add({ type: 'row', table, values })
    rows[table] = (rows[table] ?? 0) + 1
  }
  const addContent = async (document: RowValues, row: RowValues, content: Uint8Array<ArrayBuffer>) => {
    part.add(
      {
        type: 'content',
        key: String(row.content_key),
        document: String(document.id),
        until: Number(row.content_until),
        bytes: content.length,
        sha256: await hash(content),
      },
      content,
    )
    contents += 1
    content_bytes += content.length
  }
  /** Writes a document and its revisions into one part, so that a restore takes both or neither. */
  const addDocument = async ({ row, revisions, found }: StoredDocument) => {
    const content = found.get(String(row.content_key))
    if (!content) {
      missing.documents += 1
      part.add(toMissingRecord(row, null))
      return
    }
    await addContent(row, row, content)
    addRow('documents', row)
    for (const revision of revisions) {
      const old = found.get(String(revision.content_key))
      if (old) {
        await addContent(row, revision, old)
        addRow('revisions', revision)
      } else {
        missing.revisions += 1
        part.add(toMissingRecord(revision, Number(revision.number)))
      }
    }
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
      references: Object.fromEntries(tables.map(({ name, references }) => [name, references])),
    })
  }
  const first = Math.max(
    0,
    tables.findIndex(({ name }) => name === from.table),
  )
  for (const table of tables.slice(first)) {
    // Documents bring theirs with them.
    if (table.name === 'revisions' && from.kind === 'full') continue
    let after = table.name === from.table ? from.after : null
    const pages = readPages<RowValues, readonly SqlValue[] | null>(
      (from) => readPage(storage, table, { after: from }, progress),
      { from: after, limit: ROWS_PER_PAGE, getKey: (row) => getKey(table, row) },
    )
    for await (const page of pages) {
      const last = page.at(-1)
      after = last ? getKey(table, last) : after
      if (table.name !== 'documents' || from.kind === 'rows') {
        for (const row of page) addRow(table.name, table.name === 'tombstones' ? await toHashed(row) : row)
        if (isFull()) yield await endPart({ table: table.name, after, finished: false })
        continue
      }
      for await (const stored of readDocuments(storage, page, tables)) {
        if (isComplete(stored)) await addDocument(stored)
        else postponed.push(String(stored.row.id))
        if (isFull()) {
          yield await endPart({ table: table.name, after: getKey(table, stored.row), finished: false })
        }
      }
    }
    // Other tables refer to the documents, so these come before them.
    for (let attempt = 0; table.name === 'documents' && postponed.length > 0; attempt++) {
      const pauseMs = MISSING_PAUSES_MS[attempt]
      if (pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      const ids = postponed
      const again = new Set(ids)
      for (let start = 0; start < ids.length; start += ROWS_PER_PAGE) {
        const some = ids.slice(start, start + ROWS_PER_PAGE)
        const page = await readPage(storage, table, { after: null, ids: some }, progress)
        const present = new Set(page.map(({ id }) => String(id)))
        for (const id of some) if (!present.has(id)) again.delete(id)
        for await (const stored of readDocuments(storage, page, tables)) {
          if (!isComplete(stored) && pauseMs !== undefined) continue
          if (attempt < MAX_ATTEMPTS && (await hasChanged(storage, stored))) continue
          await addDocument(stored)
          again.delete(String(stored.row.id))
          postponed = [...again]
          if (isFull()) yield await endPart({ table: table.name, after, finished: false })
        }
      }
      postponed = [...again]
    }
  }
  part.add({ type: 'end', rows, contents, content_bytes, missing })
  yield await endPart({ table: null, after: null, finished: true })
}

async function readPage(
  { DB }: ReadableStorage,
  table: Table,
  { after, ids }: { after: readonly SqlValue[] | null; ids?: readonly string[] },
  { kind, startedAt, burnAfterReading }: BackupProgress,
): Promise<RowValues[]> {
  const columns = table.columns.map((column) =>
    table.blobs.includes(column) ? `hex(${column}) AS ${column}` : column,
  )
  const key = table.key.join(', ')
  const isFull = table.name === 'documents' && kind === 'full'
  const conditions = [
    ...(after ? [`(${key}) > (${after.map((_, index) => `?${index + 1}`).join(', ')})`] : []),
    ...(ids ? ['id IN (SELECT value FROM json_each(?1))'] : []),
    ...(isFull ? [`created_at <= ${startedAt}`, `expires_at > ${Date.now()}`] : []),
    ...(isFull && !burnAfterReading ? ['instant_delete = 0'] : []),
    // A restored database belongs to the Worker that uses it.
    ...(table.name === 'switches' ? ["name <> 'worker'"] : []),
  ]
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const sql = `SELECT ${columns.join(', ')} FROM ${table.name} ${where} ORDER BY ${key} LIMIT ${ROWS_PER_PAGE}`
  return queryRows<RowValues>(DB, sql, ...(ids ? [JSON.stringify(ids)] : (after ?? [])))
}

/** A backup never holds the id of something that was deleted before. */
const toHashed = async (row: RowValues): Promise<RowValues> =>
  row.hashed === 1
    ? row
    : { ...row, hashed: 1, id: await hashTombstone(row.kind as TombstoneKind, String(row.id)) }

const getKey = (table: Table, row: RowValues): SqlValue[] => table.key.map((column) => row[column] ?? null)

interface StoredDocument {
  readonly row: RowValues
  readonly revisions: readonly RowValues[]
  readonly found: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

const isComplete = ({ row, revisions, found }: StoredDocument): boolean =>
  [row, ...revisions].every(({ content_key }) => found.has(String(content_key)))

/** Tells content that is missing from content that an edit, a deletion or a burn has just replaced. */
async function hasChanged(
  { DB }: ReadableStorage,
  { row, revisions, found }: StoredDocument,
): Promise<boolean> {
  const lacking = [row, ...revisions].filter(({ content_key }) => !found.has(String(content_key)))
  if (lacking.length === 0) return false
  const present = await queryRows<{ key: string; number: number | null }>(
    DB,
    `SELECT content_key AS key, NULL AS number FROM documents WHERE id = ?1 AND expires_at > ?2
      UNION ALL SELECT content_key, number FROM revisions WHERE document_id = ?1`,
    String(row.id),
    Date.now(),
  )
  const current = present.find(({ number }) => number === null)
  return (
    current?.key !== row.content_key ||
    lacking.some(({ content_key }) => !present.some(({ key }) => key === content_key))
  )
}

const toReference = (row: RowValues): ContentReference => ({
  key: String(row.content_key),
  bytes: Number(row.content_bytes),
  encrypted: row.encrypted !== 0,
})

/** Reads documents, with as many in memory at once as fit. */
async function* readDocuments(
  { DB, CONTENTS }: ReadableStorage,
  page: readonly RowValues[],
  tables: readonly Table[],
): AsyncGenerator<StoredDocument> {
  const columns = tables.find(({ name }) => name === 'revisions')?.columns ?? []
  // Numbers from the document's own on have become revisions since its row was read.
  const sql = `SELECT ${columns.map((column) => `revisions.${column}`).join(', ')}
    FROM json_each(?1) AS document JOIN revisions ON document_id = document.value ->> 0
    WHERE number < document.value ->> 1 ORDER BY document_id, number`
  const numbers = page.map(({ id, revision }) => [id, revision])
  const rows =
    columns.length > 0 && page.length > 0 ? await queryRows<RowValues>(DB, sql, JSON.stringify(numbers)) : []
  const revisions = Map.groupBy(rows, ({ document_id }) => document_id)
  const documents = page.map((row) => ({ row, revisions: revisions.get(row.id ?? null) ?? [] }))
  const getBytes = (document: (typeof documents)[number]): number =>
    [document.row, ...document.revisions].reduce((sum, { content_bytes }) => sum + Number(content_bytes), 0)
  const limits = { maxItems: ROWS_PER_PAGE, maxBytes: GROUP_BYTES }
  for (const group of splitBySize(documents, getBytes, limits)) {
    const references = group.flatMap((document) => [
      toReference(document.row),
      // A document stays encrypted, or isn't.
      ...document.revisions.map((row) => ({ ...toReference(row), encrypted: document.row.encrypted !== 0 })),
    ])
    const found = await readContents(CONTENTS, references)
    for (const document of group) yield { ...document, found }
  }
}

const toMissingRecord = (row: RowValues, revision: number | null): MissingRecord => ({
  type: 'missing',
  document: String(revision === null ? row.id : row.document_id),
  revision,
  key: String(row.content_key),
  values: row,
})
