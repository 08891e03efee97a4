import { auditStatement } from '../../src/platform/audit-log.ts'
import type { Instant } from '../../src/shared/instant.ts'
import { CommandError } from '../support/command-error.ts'
import {
  type Bindings,
  listContent,
  queryRows,
  retry,
  runStatements,
  type SqlStatement,
} from '../support/storage.ts'
import { pageRows, type RowValues, readTables, type Table } from './format.ts'
import { type OpenBackup, readRecords } from './read-records.ts'
import { adoptDatabase, listUnknown, verifyBackup } from './restore-backup.ts'
import { requireContents } from './write-backup.ts'
import { insertStatements, restoreCounters, splitRows, updateStatements } from './write-rows.ts'

/** The columns that tell the rows of a table apart. Only the last of several may contain spaces. */
const ID_COLUMNS = {
  api_keys: ['key_hash'],
  sessions: ['token_hash'],
  linked_accounts: ['id'],
  users: ['id'],
  documents: ['id'],
  revisions: ['content_key'],
  detached_contents: ['content_key'],
  removed_documents: ['id'],
  blocks: ['kind', 'value'],
  former_usernames: ['look'],
  pictures: ['user_id'],
  removals: ['document_id'],
  report_notices: ['document_id'],
  reports: ['document_id', 'id'],
  switches: ['name'],
} as const

type SavedTable = keyof typeof ID_COLUMNS

/** What staff or users had undone before the restore: lifted blocks, dismissed reports and the like. */
const UNDOABLE = [
  'blocks',
  'former_usernames',
  'pictures',
  'removals',
  'report_notices',
  'reports',
  'switches',
] as const satisfies readonly SavedTable[]

/** Rows of what the saved state doesn't have either were lost together with it. Their ids begin with its id. */
const OWNERS: Partial<Record<SavedTable, SavedTable>> = {
  pictures: 'users',
  report_notices: 'documents',
  reports: 'documents',
}

const getIdSql = (table: SavedTable): string => ID_COLUMNS[table].join(" || ' ' || ")

const getId = (table: SavedTable, values: RowValues): string =>
  ID_COLUMNS[table].map((column) => values[column]).join(' ')

const isSavedTable = (name: string): name is SavedTable => Object.hasOwn(ID_COLUMNS, name)

type SavedIds = ReadonlyMap<string, ReadonlySet<string>>

/** @throws CommandError for another kind of backup. */
async function readSavedIds(
  open: OpenBackup,
  tables: readonly Table[],
): Promise<{ readonly saved: SavedIds; readonly leftOut: readonly string[] }> {
  const { header } = await verifyBackup(open, Date.now())
  if (header.kind !== 'rows') {
    throw new CommandError('The file is a full backup. Use one that "npm run recover -- --save" wrote.')
  }
  const ids = new Map(
    Object.keys(ID_COLUMNS)
      .filter((table) => Object.hasOwn(header.tables, table))
      .map((table) => [table, new Set<string>()]),
  )
  for await (const { record } of readRecords(open())) {
    if (record.type === 'row' && isSavedTable(record.table))
      ids.get(record.table)?.add(getId(record.table, record.values))
  }
  return { saved: ids, leftOut: listUnknown(header, tables) }
}

async function applySavedRows({ DB }: Bindings, open: OpenBackup, tables: readonly Table[]): Promise<number> {
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
        [...updateStatements(table), ...insertStatements(table)].map((sql) => DB.prepare(sql).bind(json)),
      ),
    )
    if (statements.length > 0) await retry(() => DB.batch(statements))
    rows = new Map()
  }
  return count
}

const ROWS_PER_PAGE = 500
/** Fewer documents than this can all have been deleted since. */
const MIN_MISSING = 10

export type RecoveryReport = Recovery['report']

interface RecoveryOptions {
  readonly now: Instant
  /** The name of the person who does it, for the audit log. */
  readonly actor: string
  /** Only counts if false. */
  readonly apply: boolean
  /** Keeps accounts that the saved state doesn't have. */
  readonly keepAccounts: boolean
  readonly withoutContent?: boolean
}

/**
 * Deletes and revokes again what had been deleted, burned or revoked since. After an interruption, run it again.
 *
 * With the state that was saved before the restore, this is exact, and every row of that state is as it was then.
 * Without it, every key and session ends, and every document that burns after reading is deleted, because each of them
 * might have been revoked or burned.
 *
 * @throws CommandError if nearly all content is missing, whose documents it would delete, or the file can't be used;
 * and what the storage throws.
 */
export async function recoverDatabase(
  bindings: Bindings,
  openSaved: OpenBackup | null,
  options: RecoveryOptions,
): Promise<RecoveryReport> {
  if (!options.withoutContent) await requireContents(bindings, { now: options.now, atLeast: MIN_MISSING })
  const tables = await readTables(bindings.DB, 'rows')
  const { saved, leftOut } = openSaved ? await readSavedIds(openSaved, tables) : { saved: null, leftOut: [] }
  const recovery = new Recovery(bindings, saved, options)
  recovery.report.leftOut = leftOut
  await recovery.endAccess()
  await recovery.deleteDocuments()
  const { report } = recovery
  if (!options.apply) return report
  if (openSaved) {
    // Twice, because a unique username may be free only after another row has changed.
    for (let run = 1; run <= 2; run++) report.saved = await applySavedRows(bindings, openSaved, tables)
    await restoreCounters(bindings.DB, openSaved)
  }
  await recovery.deleteRevisions()
  await adoptDatabase(bindings, options.now)
  const detail = `${openSaved ? 'with the saved state' : 'strict'}: ${JSON.stringify(report)}`
  await runStatements(bindings.DB, [
    // Nobody knows what had been deleted between the time that the database is from and now.
    ...(openSaved ? [] : [['DELETE FROM backups'] as const]),
    auditStatement({ actor: options.actor, action: 'database.recover', detail, now: options.now }),
  ])
  return report
}

class Recovery {
  readonly report = {
    keys: 0,
    sessions: 0,
    /** Deleted before, and again. */
    accounts: 0,
    /** Documents that had been deleted or burned, or whose content is gone. They are deleted again. */
    documents: 0,
    /** Documents that only the restored database has, and that can be read again. */
    broughtBack: 0,
    /** Rows of the saved state that the restored database gets. They include what has been created since. */
    saved: 0,
    /** What a newer version has saved and this one doesn't have: `table` or `table.column`. */
    leftOut: [] as readonly string[],
  }
  readonly #bindings: Bindings
  readonly #saved: SavedIds | null
  readonly #options: RecoveryOptions
  #stored: Promise<Set<string>> | null = null

  constructor(bindings: Bindings, saved: SavedIds | null, options: RecoveryOptions) {
    this.#bindings = bindings
    this.#saved = saved
    this.#options = options
  }

  /** Always false if no state was saved. */
  #wasSaved(table: SavedTable, id: string): boolean {
    return this.#saved?.get(table)?.has(id) ?? false
  }

  /** Ends the keys and sessions that had ended before the restore, and all of them if that isn't known. */
  async endAccess(): Promise<void> {
    const { report } = this
    const { DB } = this.#bindings
    report.keys = await this.#deleteUnsaved('api_keys')
    report.sessions = await this.#deleteUnsaved('sessions')
    if (this.#options.apply) {
      await retry(() =>
        DB.batch([
          DB.prepare('DELETE FROM verifications'),
          // One that was used since would work again.
          DB.prepare('DELETE FROM invitations'),
          DB.prepare('DELETE FROM idempotency_keys'),
        ]),
      )
    }
    if (!this.#saved) return
    await this.#deleteUnsaved('linked_accounts')
    // Staff had restored them, or they had been deleted for good.
    await this.#deleteUnsaved('removed_documents')
    for (const table of UNDOABLE) if (this.#saved.has(table)) await this.#deleteUnsaved(table)
    if (this.#options.keepAccounts) return
    // The scheduled job finishes the deletion. Documents that were kept lose their creator again.
    report.accounts = await this.#changeUnsaved(
      'users',
      "UPDATE users SET leaving = coalesce(leaving, 'keep') WHERE id IN",
    )
  }

  /** Deletes documents that had been deleted before the restore. Triggers record their content for cleanup. */
  async deleteDocuments(): Promise<void> {
    const stored = await this.#findStored()
    const pages = pageRows<{ id: string; content_key: string; instant_delete: number }>(
      this.#bindings.DB,
      'SELECT id, content_key, instant_delete FROM documents WHERE id > ?1 ORDER BY id',
      { from: [''], limit: ROWS_PER_PAGE, getKey: ({ id }) => [id] },
    )
    for await (const rows of pages) {
      // What the saved state has gets its saved row, with its present content, and its saved editors.
      const returned = rows.filter(({ id }) => !this.#wasSaved('documents', id))
      const gone = returned.filter(
        ({ id, content_key, instant_delete }) =>
          instant_delete === 1 ||
          !stored.has(content_key) ||
          this.#wasSaved('detached_contents', content_key) ||
          this.#wasSaved('removed_documents', id),
      )
      this.report.documents += gone.length
      if (this.#saved) this.report.broughtBack += returned.length - gone.length
      await this.#change(
        'DELETE FROM documents WHERE id IN',
        gone.map(({ id }) => id),
      )
      await this.#change(
        'DELETE FROM document_editors WHERE document_id IN',
        rows.filter(({ id }) => this.#wasSaved('documents', id)).map(({ id }) => id),
      )
    }
  }

  /** Comes after the saved rows: bringing a document up to date may keep what it was as a revision. */
  async deleteRevisions(): Promise<void> {
    const { DB } = this.#bindings
    const stored = await this.#findStored()
    const pages = pageRows<{ id: string; number: number; content_key: string }>(
      DB,
      `SELECT document_id AS id, number, content_key FROM revisions WHERE (document_id, number) > (?1, ?2)
        ORDER BY document_id, number`,
      { from: ['', 0], limit: ROWS_PER_PAGE, getKey: ({ id, number }) => [id, number] },
    )
    for await (const rows of pages) {
      const gone = rows.filter(
        ({ id, content_key }) =>
          !stored.has(content_key) ||
          this.#wasSaved('detached_contents', content_key) ||
          (this.#wasSaved('documents', id) && !this.#wasSaved('revisions', content_key)),
      )
      await this.#change(
        'DELETE FROM revisions WHERE (document_id, number) IN',
        gone.map(({ id, number }) => [id, number]),
        'SELECT value ->> 0, value ->> 1',
      )
    }
    // Changing the rows may have recorded content for deletion that a saved row has.
    await queryRows(
      DB,
      `DELETE FROM detached_contents WHERE content_key IN (SELECT content_key FROM revisions)
        OR content_key IN (SELECT content_key FROM removed_documents)
        OR EXISTS (SELECT 1 FROM documents WHERE documents.content_key = detached_contents.content_key)`,
    )
  }

  async #findStored(): Promise<Set<string>> {
    this.#stored ??= (async () => {
      const stored = new Set<string>()
      for await (const keys of listContent(this.#bindings.CONTENTS))
        for (const { name } of keys) stored.add(name)
      return stored
    })()
    return this.#stored
  }

  #deleteUnsaved(table: SavedTable): Promise<number> {
    return this.#changeUnsaved(table, `DELETE FROM ${table} WHERE ${getIdSql(table)} IN`)
  }

  /** Returns how many rows the saved state doesn't have. */
  async #changeUnsaved(table: SavedTable, statement: string): Promise<number> {
    const column = getIdSql(table)
    const pages = pageRows<{ id: string }>(
      this.#bindings.DB,
      `SELECT ${column} AS id FROM ${table} WHERE ${column} > ?1 ORDER BY ${column}`,
      { from: [''], limit: ROWS_PER_PAGE, getKey: ({ id }) => [id] },
    )
    let count = 0
    for await (const rows of pages) {
      const owner = OWNERS[table]
      const gone = rows
        .map(({ id }) => id)
        .filter((id) => !this.#wasSaved(table, id))
        .filter((id) => !owner || this.#wasSaved(owner, id.split(' ', 1)[0] ?? ''))
      count += gone.length
      await this.#change(statement, gone)
    }
    return count
  }

  async #change(statement: string, ids: readonly unknown[], select = 'SELECT value'): Promise<void> {
    if (!this.#options.apply || ids.length === 0) return
    await queryRows(this.#bindings.DB, `${statement} (${select} FROM json_each(?1))`, JSON.stringify(ids))
  }
}
