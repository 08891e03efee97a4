import { auditStatement } from '../../src/platform/audit-log.ts'
import { NEVER } from '../../src/shared/expiry.ts'
import type { Instant } from '../../src/shared/instant.ts'
import type { Statement } from '../../src/shared/statement.ts'
import { CommandError } from '../support/command-error.ts'
import {
  type Bindings,
  forEachParallel,
  queryRows,
  retry,
  runStatements,
  type SqlStatement,
  type SqlValue,
} from '../support/storage.ts'
import {
  type ContentRecord,
  type EndRecord,
  type HeaderRecord,
  type MissingRecord,
  type Reference,
  type RowValues,
  readTables,
  type Table,
} from './format.ts'
import { type OpenBackup, type ReadRecord, readRecords } from './read-records.ts'
import { rememberBackup } from './write-backup.ts'
import { insertStatements, restoreCounters, splitRows } from './write-rows.ts'

/** See `src/documents/cleanup-state.ts`. */
const MARKER_KEY = 'database'

/** Cleanup deletes orphaned content again. Interrupted between the two writes, it refuses to, and can be repeated. */
export async function adoptDatabase({ DB, CONTENTS }: Bindings, now: Instant): Promise<void> {
  const databaseId = crypto.randomUUID()
  await queryRows(
    DB,
    `INSERT INTO sweep_progress (only_row, database_id, trusted_at) VALUES (1, ?1, ?2)
      ON CONFLICT (only_row) DO UPDATE SET cursor = NULL, checked = 0, orphaned = 0,
        database_id = excluded.database_id, trusted_at = excluded.trusted_at, allowed_deletions = 0, searched_at = NULL`,
    databaseId,
    now,
  )
  await retry(() => CONTENTS.put(MARKER_KEY, JSON.stringify({ databaseId, trustedAt: now })))
}

/** KV refuses to store content that expires sooner. */
const MIN_REMAINING_MS = 60_000
export const GROUP_BYTES = 16 * 1024 * 1024
/** The commands send what is stored at the same time in one request. */
const PARALLEL_WRITES = 48

export type Missing = Pick<MissingRecord, 'document' | 'revision'>

/** Rows that need one that isn't in the backup or has expired, by table. Files of earlier releases don't say. */
class LeftOutRows {
  readonly counts: Record<string, number> = {}
  readonly #references: NonNullable<HeaderRecord['references']>
  readonly #ids = new Map<string, Set<SqlValue | undefined>>()
  readonly #now: Instant

  constructor({ references = {} }: HeaderRecord, now: Instant) {
    this.#references = references
    this.#now = now
    for (const { table, target } of Object.values(references).flat())
      this.#ids.set(`${table}.${target}`, new Set())
  }

  add(table: string, values: RowValues): void {
    if (table === 'documents' && isExpired(Number(values.expires_at), this.#now)) return
    const references = this.#references[table] ?? []
    const isPresent = (other: Reference) =>
      this.#ids.get(`${other.table}.${other.target}`)?.has(values[other.column])
    if (references.every((other) => other.optional || isPresent(other))) {
      for (const [column, value] of Object.entries(values)) this.#ids.get(`${table}.${column}`)?.add(value)
    } else {
      this.counts[table] = (this.counts[table] ?? 0) + 1
    }
  }
}

/** @throws CommandError if anything is wrong with it. */
export async function verifyBackup(open: OpenBackup, now: Instant) {
  let header: HeaderRecord | null = null
  let leftOut: LeftOutRows | null = null
  let end: EndRecord | null = null
  const missing: Missing[] = []
  for await (const { record } of readRecords(open())) {
    if (record.type === 'backup') {
      header = record
      leftOut = new LeftOutRows(record, now)
    }
    if (record.type === 'row') leftOut?.add(record.table, record.values)
    if (record.type === 'missing') missing.push({ document: record.document, revision: record.revision })
    if (record.type === 'end') end = record
  }
  if (!header || !end || !leftOut) throw new CommandError('The backup is incomplete.')
  return { header, end, missing, leftOut: leftOut.counts }
}

interface RestoreOptions {
  readonly now: Instant
  /** The name of the person who restores it, for the audit log. */
  readonly actor: string
  readonly onPart?: (part: number) => void
}

/** @throws CommandError for a file without content, or of a newer version than the database. */
export async function requireFullBackup({ DB }: Pick<Bindings, 'DB'>, open: OpenBackup, now: Instant) {
  const verified = await verifyBackup(open, now)
  if (verified.header.kind !== 'full')
    throw new CommandError('The file holds no content: use it with "npm run recover".')
  const tables = await readTables(DB, 'full')
  requireColumns(verified.header, tables)
  return { ...verified, tables }
}

export const restoreEntry = (
  { id, started_at }: HeaderRecord,
  { actor, now, detail }: { actor: string; now: Instant; detail: string },
): Statement =>
  auditStatement({
    actor,
    action: 'backup.restore',
    subject: id,
    detail: `backup of ${new Date(started_at).toISOString()}, ${detail}`,
    now,
  })

/**
 * Restores a backup. For each part, it writes first the content, then the rows that refer to it, in one transaction
 * with the progress. Run again, an interrupted restore continues after its last whole part.
 *
 * @throws CommandError before anything has changed, and what the storage throws.
 */
export async function restoreBackup(bindings: Bindings, open: OpenBackup, options: RestoreOptions) {
  const { header, missing, leftOut, tables } = await requireFullBackup(bindings, open, options.now)
  const resumedAfter = await requireTarget(bindings, header, options)
  const report = {
    /** Documents stored, including those of an earlier, interrupted run. */
    documents: 0,
    /** Since the backup. */
    expired: 0,
    /** Parts that an earlier, interrupted run had restored. */
    resumedAfter,
    /** The documents that weren't restored, because the backup lacks their content. */
    missing,
    leftOut,
  }
  const part = new PartRestorer(bindings, tables, { header, report, options })
  for await (const read of readRecords(open())) await part.add(read)
  await restoreCounters(bindings.DB, open)
  await adoptDatabase(bindings, options.now)
  const detail = `into an empty service: ${report.documents} documents`
  await runStatements(bindings.DB, [
    ['UPDATE restore_progress SET finished_at = ?2 WHERE backup_id = ?1', header.id, options.now],
    restoreEntry(header, { ...options, detail }),
  ])
  return report
}

/** Lists what a backup of a newer version has and the database doesn't: `table` or `table.column`. */
export const listUnknown = (header: HeaderRecord, tables: readonly Table[]): string[] =>
  Object.entries(header.tables).flatMap(([name, columns]) => {
    const table = tables.find((known) => known.name === name)
    if (!table) return [name]
    return columns.filter((column) => !table.columns.includes(column)).map((column) => `${name}.${column}`)
  })

export function requireColumns(header: HeaderRecord, tables: readonly Table[]): void {
  const [missing] = listUnknown(header, tables)
  if (missing !== undefined) {
    throw new CommandError(
      `The backup is from a newer version of Regent: this database has no "${missing}". Upgrade it first.`,
    )
  }
}

/** Returns how many parts have been restored already. Refuses a service that holds something else. */
async function requireTarget(
  { DB }: Bindings,
  header: HeaderRecord,
  options: RestoreOptions,
): Promise<number> {
  const { id, started_at } = header
  const [progress] = await queryRows<{ parts: number }>(
    DB,
    'SELECT parts FROM restore_progress WHERE backup_id = ?1 AND finished_at IS NULL',
    id,
  )
  if (progress) return progress.parts
  const [occupied] = await queryRows(DB, 'SELECT 1 FROM users UNION ALL SELECT 1 FROM documents LIMIT 1')
  if (occupied) {
    throw new CommandError(
      'The service already has accounts or documents. If KV has lost content, use --contents-only. To add rows that the service lacks, use --merge.',
    )
  }
  await runStatements(DB, [
    // Those of accounts that were deleted here to make room. The backup brings its own.
    ['DELETE FROM former_usernames'],
    [
      `INSERT INTO restore_progress (backup_id, parts) VALUES (?1, 0)
        ON CONFLICT (backup_id) DO UPDATE SET parts = 0, finished_at = NULL`,
      id,
    ],
    rememberBackup(id, started_at),
    restoreEntry(header, { ...options, detail: 'into an empty service: begun' }),
  ])
  return 0
}

interface RestoreContext {
  readonly header: HeaderRecord
  readonly report: { documents: number; expired: number; readonly resumedAfter: number }
  readonly options: RestoreOptions
}

export interface StoredContent {
  readonly record: Pick<ContentRecord, 'key' | 'document' | 'until'>
  readonly content: Uint8Array<ArrayBuffer>
}

export const putContents = (
  contents: Bindings['CONTENTS'],
  stored: readonly StoredContent[],
  now: Instant,
): Promise<void> =>
  forEachParallel(stored, PARALLEL_WRITES, async ({ record: { key, document, until }, content }) => {
    const expiry = until === NEVER ? {} : { expiration: Math.ceil(until / 1000) }
    await retry(() => contents.put(key, content.buffer, { metadata: { document, putAt: now }, ...expiry }))
  })

class PartRestorer {
  readonly #bindings: Bindings
  readonly #tables: readonly Table[]
  readonly #context: RestoreContext
  readonly #rows = new Map<Table, RowValues[]>()
  #contents: StoredContent[] = []
  #contentBytes = 0
  #part = 1

  constructor(bindings: Bindings, tables: readonly Table[], context: RestoreContext) {
    this.#bindings = bindings
    this.#tables = tables
    this.#context = context
  }

  async add({ record, content }: ReadRecord): Promise<void> {
    if (record.type === 'part') return this.#end()
    if (record.type === 'content' && content) await this.#addContent({ record, content })
    if (record.type === 'row') this.#addRow(record.table, record.values)
  }

  get #isDone(): boolean {
    return this.#part <= this.#context.report.resumedAfter
  }

  #addRow(name: string, values: RowValues): void {
    const { report, options } = this.#context
    if (name === 'documents') {
      if (isExpired(Number(values.expires_at), options.now)) {
        report.expired += 1
        return
      }
      report.documents += 1
    }
    // KV has deleted the content of a revision that outlived it, or soon will.
    if (name === 'revisions' && isExpired(Number(values.content_until), options.now)) return
    const table = this.#tables.find((known) => known.name === name)
    if (!table || this.#isDone) return
    const rows = this.#rows.get(table)
    if (rows) rows.push(values)
    else this.#rows.set(table, [values])
  }

  async #addContent(stored: StoredContent): Promise<void> {
    if (this.#isDone || isExpired(stored.record.until, this.#context.options.now)) return
    this.#contents.push(stored)
    this.#contentBytes += stored.content.length
    if (this.#contentBytes >= GROUP_BYTES) await this.#putContents()
  }

  async #putContents(): Promise<void> {
    const contents = this.#contents
    this.#contents = []
    this.#contentBytes = 0
    const { DB, CONTENTS } = this.#bindings
    // The documents of a service that has just been emptied: cleanup must not delete what is restored.
    const keys = JSON.stringify(contents.map(({ record }) => record.key))
    await queryRows(
      DB,
      'DELETE FROM detached_contents WHERE content_key IN (SELECT value FROM json_each(?1))',
      keys,
    )
    await putContents(CONTENTS, contents, this.#context.options.now)
  }

  async #end(): Promise<void> {
    if (!this.#isDone) {
      await this.#putContents()
      const { DB } = this.#bindings
      const statements: SqlStatement[] = [...this.#rows].flatMap(([table, rows]) =>
        splitRows(rows).flatMap((json) => insertStatements(table).map((sql) => DB.prepare(sql).bind(json))),
      )
      const progress = 'UPDATE restore_progress SET parts = ?2 WHERE backup_id = ?1'
      statements.push(DB.prepare(progress).bind(this.#context.header.id, this.#part))
      await retry(() => DB.batch(statements))
      this.#rows.clear()
      this.#context.options.onPart?.(this.#part)
    }
    this.#part += 1
  }
}

export const isExpired = (until: Instant, now: Instant): boolean => until <= now + MIN_REMAINING_MS
