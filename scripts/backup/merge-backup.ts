import { ADMIN_FLAG, toLookalikeSql } from '../../src/accounts/user.ts'
import { generateContentKey } from '../../src/documents/document.ts'
import { hashTombstone, type TombstoneKind } from '../../src/shared/hashing.ts'
import { HOUR_MS, type Instant } from '../../src/shared/instant.ts'
import { CommandError } from '../support/command-error.ts'
import { type Bindings, queryRows, runStatements } from '../support/storage.ts'
import type { HeaderRecord, RowValues, Table } from './format.ts'
import { type OpenBackup, type ReadRecord, readRecords } from './read-records.ts'
import {
  adoptDatabase,
  GROUP_BYTES,
  isExpired,
  putContents,
  requireFullBackup,
  restoreEntry,
} from './restore-backup.ts'
import { putBackContents } from './restore-contents.ts'
import { rememberBackup } from './write-backup.ts'
import { insertStatements, splitRows } from './write-rows.ts'

/** Why a document or an account of the backup isn't added. */
export type Reason =
  | 'deleted'
  | 'removed by staff'
  | 'expired'
  | 'burns after reading'
  | 'account is gone'
  | 'text is blocked'
  | 'content is missing'
  | 'name or address is taken'
  /** Whatever else a backup holds, such as keys and editors. */
  | 'never merged'

type Counts = Record<string, Partial<Record<Reason, number>>>

interface Options {
  readonly now: Instant
  readonly actor: string
  readonly onRows?: (rows: number) => void
}

const ROWS_PER_GROUP = 100

/**
 * Tombstones tell what was deleted since a backup that the database knows. A database that is younger than the backup never
 * had what the backup holds, unless it came from an older one by a restore.
 */
async function requireKnown(db: Bindings['DB'], { id, started_at }: HeaderRecord): Promise<void> {
  const [found] = await queryRows(
    db,
    `SELECT 1 FROM backups WHERE id = ?1 UNION ALL
      SELECT 1 WHERE (SELECT min(unixepoch(applied_at)) * 1000 FROM d1_migrations) > ?2
        AND NOT EXISTS (SELECT 1 FROM restore_progress)`,
    id,
    started_at,
  )
  if (found) return
  throw new CommandError(
    'The database has no record of this backup: it is older than BACKUP_DAYS, of an earlier release, or of another service. So nobody knows what has been deleted since, and --merge would bring it back. To put back content that KV has lost, use --contents-only. To restore everything, use an empty service.',
  )
}

/** When deleted documents and accounts ended, and documents whose expiry was moved forward will. */
class Tombstones {
  readonly #db: Bindings['DB']
  readonly #ends = new Map<string, Instant>()
  #readUntil: Instant = 0

  constructor(db: Bindings['DB']) {
    this.#db = db
  }

  /** Reads those that are new. An id may be replaced by its hash meanwhile, which keeps its time. */
  async refresh(now: Instant): Promise<void> {
    const rows = await queryRows<{ kind: TombstoneKind; id: string; hashed: number; endsAt: Instant }>(
      this.#db,
      `SELECT kind, id, hashed, ends_at AS endsAt FROM tombstones WHERE hashed = 0 UNION ALL
        SELECT kind, id, hashed, ends_at FROM tombstones WHERE hashed = 1 AND recorded_at >= ?1`,
      this.#readUntil,
    )
    // By whichever clock the rows were written.
    this.#readUntil = now - HOUR_MS
    for (const { kind, id, hashed, endsAt } of rows) {
      const key = hashed === 1 ? id : await hashTombstone(kind, id)
      this.#ends.set(key, Math.min(endsAt, this.#ends.get(key) ?? endsAt))
    }
  }

  async findEnd(kind: TombstoneKind, id: unknown): Promise<Instant | null> {
    return this.#ends.get(await hashTombstone(kind, String(id))) ?? null
  }
}

interface StoredDocument {
  readonly row: RowValues
  readonly content: Uint8Array<ArrayBuffer>
}

/**
 * Adds documents and accounts that the service lacks, and content that KV has lost. What exists stays as it is. What was
 * deleted, burned, removed or shortened since the backup doesn't come back, nor does anything that grants access. If it's
 * interrupted, run it again.
 *
 * @throws CommandError before anything has changed, and what the storage throws.
 */
export async function mergeBackup(bindings: Bindings, open: OpenBackup, options: Options) {
  const { header, tables } = await requireFullBackup(bindings, open, options.now)
  await requireKnown(bindings.DB, header)
  // What is added may be deleted again.
  await runStatements(bindings.DB, [
    rememberBackup(header.id, header.started_at),
    restoreEntry(header, { ...options, detail: 'merge: begun' }),
  ])
  const contents = await putBackContents(bindings, open, options.now)
  const merge = new Merge(bindings, tables, options)
  for await (const read of readRecords(open())) await merge.add(read)
  await merge.finish()
  await adoptDatabase(bindings, options.now)
  const { added, leftOut } = merge.report
  const detail = `merge: added ${added.documents} documents and ${added.users} accounts; put back the content of ${contents.documents} documents and ${contents.revisions} revisions; left out ${JSON.stringify(leftOut)}`
  await runStatements(bindings.DB, [restoreEntry(header, { ...options, detail })])
  return { ...merge.report, contents }
}

class Merge {
  readonly report = {
    added: { documents: 0, users: 0 },
    /** Documents and accounts that the service has, and that stay as they are. */
    kept: { documents: 0, users: 0 },
    /** The rows that the service lacks and doesn't get, by table and reason. */
    leftOut: {} as Counts,
    /** Documents that neither the service nor the backup has the content of. */
    withoutContent: [] as string[],
  }
  readonly #bindings: Bindings
  readonly #tables: ReadonlyMap<string, Table>
  readonly #options: Options
  readonly #tombstones: Tombstones
  /** The rows of each table, except for documents. */
  readonly #rows = new Map<string, RowValues[]>()
  #documents: StoredDocument[] = []
  #bytes = 0
  /** The last one read. The row of its document or revision comes next. */
  #content: { readonly key: string; readonly bytes: Uint8Array<ArrayBuffer> } | null = null

  constructor(bindings: Bindings, tables: readonly Table[], options: Options) {
    this.#bindings = bindings
    this.#tables = new Map(tables.map((table) => [table.name, table]))
    this.#options = options
    this.#tombstones = new Tombstones(bindings.DB)
  }

  async add({ record, content }: ReadRecord): Promise<void> {
    if (record.type === 'content' && content) this.#content = { key: record.key, bytes: content }
    if (record.type === 'missing' && record.revision === null) {
      await this.#flush()
      await this.#mergeDocuments([record.values], new Map())
    }
    if (record.type !== 'row') return
    const { table, values } = record
    if (table === 'documents') return this.#addDocument(values)
    const rows = this.#rows.get(table) ?? []
    rows.push(values)
    this.#rows.set(table, rows)
    if (rows.length >= ROWS_PER_GROUP) await this.#flush()
  }

  finish(): Promise<void> {
    return this.#flush()
  }

  async #addDocument(row: RowValues): Promise<void> {
    const content = this.#content
    if (content === null || content.key !== row.content_key)
      throw new CommandError('A document has no content in the file.')
    this.#documents.push({ row, content: content.bytes })
    this.#bytes += content.bytes.length
    if (this.#documents.length >= ROWS_PER_GROUP || this.#bytes >= GROUP_BYTES) await this.#flush()
  }

  /** Accounts come before their documents. */
  async #flush(): Promise<void> {
    for (const [table, rows] of this.#rows) {
      if (table === 'users') await this.#mergeUsers(rows)
      else if (table === 'tombstones') await this.#addTombstones(rows)
      else await this.#countLacking(table, rows)
    }
    this.#rows.clear()
    const documents = this.#documents
    this.#documents = []
    this.#bytes = 0
    if (documents.length > 0) {
      const contents = new Map(documents.map(({ row, content }) => [row.id, content]))
      await this.#mergeDocuments(
        documents.map(({ row }) => row),
        contents,
      )
    }
    this.#options.onRows?.(this.report.added.documents + this.report.kept.documents)
  }

  #leaveOut(table: string, reason: Reason, count = 1): void {
    const counts = this.report.leftOut[table] ?? {}
    counts[reason] = (counts[reason] ?? 0) + count
    this.report.leftOut[table] = counts
  }

  #requireTable(name: string): Table {
    const table = this.#tables.get(name)
    if (!table) throw new CommandError(`The database has no table "${name}".`)
    return table
  }

  /** They only ever leave out more. */
  async #addTombstones(rows: readonly RowValues[]): Promise<void> {
    const [insert = ''] = insertStatements(this.#requireTable('tombstones'))
    for (const json of splitRows(rows)) await runStatements(this.#bindings.DB, [[insert, json]])
  }

  /** Counts rows that the service doesn't have and doesn't get. */
  async #countLacking(name: string, rows: readonly RowValues[]): Promise<void> {
    const { key } = this.#requireTable(name)
    const isSame = key.map((column) => `${column} = row.value ->> '${column}'`).join(' AND ')
    for (const json of splitRows(rows)) {
      const [found] = await queryRows<{ lacking: number }>(
        this.#bindings.DB,
        `SELECT count(*) AS lacking FROM json_each(?1) AS row
          WHERE NOT EXISTS (SELECT 1 FROM ${name} WHERE ${isSame})`,
        json,
      )
      if (found && found.lacking > 0) this.#leaveOut(name, 'never merged', found.lacking)
    }
  }

  async #mergeUsers(rows: readonly RowValues[]): Promise<void> {
    const { DB } = this.#bindings
    const states = new Map<unknown, { present: number; reserved: number; suspendedAt: Instant | null }>()
    for (const json of splitRows(rows)) {
      const found = await queryRows<{
        id: string
        present: number
        reserved: number
        suspendedAt: Instant | null
      }>(
        DB,
        `SELECT row.value ->> 'id' AS id,
            EXISTS (SELECT 1 FROM users WHERE users.id = row.value ->> 'id') AS present,
            EXISTS (SELECT 1 FROM former_usernames
              WHERE look = ${toLookalikeSql("row.value ->> 'username'")} AND user_id <> row.value ->> 'id'
                AND reserved_until > ?2) AS reserved,
            (SELECT iif(action = 'account.suspend', at, NULL) FROM audit_log
              WHERE subject = row.value ->> 'username' COLLATE NOCASE AND action IN ('account.suspend', 'account.restore')
              ORDER BY at DESC LIMIT 1) AS suspendedAt
          FROM json_each(?1) AS row`,
        json,
        this.#options.now,
      )
      for (const { id, ...state } of found) states.set(id, state)
    }
    await this.#tombstones.refresh(this.#options.now)
    const wanted: RowValues[] = []
    for (const row of rows) {
      const state = states.get(row.id)
      if (state?.present === 1) this.report.kept.users += 1
      else if (row.leaving !== null || (await this.#tombstones.findEnd('account', row.id)) !== null)
        this.#leaveOut('users', 'deleted')
      else if (state?.reserved === 1) this.#leaveOut('users', 'name or address is taken')
      else {
        const suspended_at = row.suspended_at ?? state?.suspendedAt ?? null
        wanted.push({ ...row, flags: Number(row.flags) & ~ADMIN_FLAG, icon: null, suspended_at })
      }
    }
    const added = await this.#insert('users', wanted)
    this.report.added.users += added.size
    if (added.size < wanted.length)
      this.#leaveOut('users', 'name or address is taken', wanted.length - added.size)
  }

  /** @returns the ids of those that the table lacked. */
  async #insert(name: string, rows: readonly RowValues[]): Promise<Set<unknown>> {
    const [insert = ''] = insertStatements(this.#requireTable(name))
    const added = new Set<unknown>()
    for (const json of splitRows(rows)) {
      const inserted = await queryRows<{ id: string }>(this.#bindings.DB, `${insert} RETURNING id`, json)
      for (const { id } of inserted) added.add(id)
    }
    return added
  }

  async #mergeDocuments(
    rows: readonly RowValues[],
    contents: ReadonlyMap<unknown, Uint8Array<ArrayBuffer>>,
  ): Promise<void> {
    const { now } = this.#options
    const states = await this.#findDocuments(rows)
    // After the look for the documents: one that isn't there had its tombstone by then.
    await this.#tombstones.refresh(now)
    const wanted: StoredDocument[] = []
    for (const row of rows) {
      const state = states.get(row.id)
      if (state?.present === 1) {
        this.report.kept.documents += 1
        continue
      }
      const end = await this.#tombstones.findEnd('document', row.id)
      const content = contents.get(row.id)
      const expires_at = Math.min(Number(row.expires_at), end ?? Number.POSITIVE_INFINITY)
      const reason = getReason(row, { state, end, expiresAt: expires_at, now })
      if (reason !== null) this.#leaveOut('documents', reason)
      else if (!content) {
        this.#leaveOut('documents', 'content is missing')
        this.report.withoutContent.push(String(row.id))
      } else {
        // Its old key may be waiting for its deletion, and KV may remember that it had no content.
        const changed = { content_key: generateContentKey(), expires_at, ...WITHOUT_ACCESS }
        wanted.push({ row: { ...row, ...changed }, content })
      }
    }
    await putContents(
      this.#bindings.CONTENTS,
      wanted.map(({ row, content }) => ({
        record: {
          key: String(row.content_key),
          document: String(row.id),
          until: Number(row.content_until),
        },
        content,
      })),
      now,
    )
    const added = await this.#insertDocuments(wanted.map(({ row }) => row))
    this.report.added.documents += added
    this.report.kept.documents += wanted.length - added
  }

  async #findDocuments(rows: readonly RowValues[]): Promise<ReadonlyMap<unknown, DocumentState>> {
    const candidates = rows.map(({ id, creator_id, content_hash }) => ({ id, creator_id, content_hash }))
    const found = await queryRows<DocumentState & { id: string }>(
      this.#bindings.DB,
      `SELECT row.value ->> 'id' AS id,
          EXISTS (SELECT 1 FROM documents WHERE documents.id = row.value ->> 'id') AS present,
          EXISTS (SELECT 1 FROM removals WHERE document_id = row.value ->> 'id') AS removed,
          EXISTS (SELECT 1 FROM blocks WHERE kind = 'content' AND value = row.value ->> 'content_hash') AS blocked,
          (row.value ->> 'creator_id' IS NULL OR EXISTS (
            SELECT 1 FROM users WHERE users.id = row.value ->> 'creator_id' AND leaving IS NULL)) AS hasCreator
        FROM json_each(?1) AS row`,
      JSON.stringify(candidates),
    )
    return new Map(found.map((state) => [state.id, state]))
  }

  /** A trigger counts them as new documents of their creators, which they aren't. */
  async #insertDocuments(rows: readonly RowValues[]): Promise<number> {
    const { DB } = this.#bindings
    const [insert = '', ...further] = insertStatements(this.#requireTable('documents'))
    let added = 0
    for (const json of splitRows(rows)) {
      // Not tried again: a second run would find nothing to insert, and count down once more.
      const [inserted] = await DB.batch<{ id: string }>([
        DB.prepare(`${insert} RETURNING id`).bind(json),
        DB.prepare(
          `UPDATE users SET documents_made = documents_made - made.number
            FROM (
              SELECT creator_id, count(*) AS number FROM json_each(?1) AS row JOIN documents
                ON documents.id = row.value ->> 'id' AND content_key = row.value ->> 'content_key'
              WHERE creator_id IS NOT NULL GROUP BY creator_id
            ) AS made
            WHERE users.id = made.creator_id`,
        ).bind(json),
        ...further.map((sql) => DB.prepare(sql).bind(json)),
      ])
      added += inserted?.results.length ?? 0
    }
    return added
  }
}

/** Tokens, editors and gists may have been given up or taken away since. */
const WITHOUT_ACCESS = { token_hash: null, has_editors: 0, gist_url: null, burn_mark: null }

interface DocumentState {
  readonly present: number
  readonly removed: number
  readonly blocked: number
  readonly hasCreator: number
}

function getReason(
  row: RowValues,
  {
    state,
    end,
    expiresAt,
    now,
  }: { state: DocumentState | undefined; end: Instant | null; expiresAt: Instant; now: Instant },
): Reason | null {
  if (state?.removed === 1) return 'removed by staff'
  if (isExpired(Number(row.expires_at), now)) return 'expired'
  // It was deleted, or its expiry was moved forward and has come.
  if (end !== null && isExpired(expiresAt, now)) return 'deleted'
  if (row.instant_delete === 1) return 'burns after reading'
  if (state?.blocked === 1) return 'text is blocked'
  if (state?.hasCreator !== 1) return 'account is gone'
  return null
}
