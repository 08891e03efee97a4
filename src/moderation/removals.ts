import { hashContent } from '../documents/block-check.ts'
import { deleteContent } from '../documents/content-store.ts'
import { generateVersion } from '../documents/document.ts'
import type { DocumentStore } from '../documents/document-store.ts'
import { anyDocument, StaleDocumentError, StoredContent } from '../documents/read.ts'
import { documentNotFound } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { encodeText } from '../shared/encodings.ts'
import type { Instant } from '../shared/instant.ts'
import { type ListPage, type ListPageOptions, listPage } from './list-page.ts'
import { type RemoveAllOptions, type RemovedRow, removalStatements } from './removal-statements.ts'
import { undoStatements } from './undo-statements.ts'

export interface Removal {
  readonly documentId: string
  readonly creatorId: string | null
  readonly creator: string | null
  readonly title: string | null
  readonly removedAt: Instant
  readonly removedBy: string
  readonly reason: string
  /** The time until which staff can restore the document; null if nothing is kept of it. */
  readonly keptUntil: Instant | null
}

const COLUMNS = `r.document_id AS documentId, r.creator_id AS creatorId, u.username AS creator, r.title,
  r.removed_at AS removedAt, r.removed_by AS removedBy, r.reason, k.kept_until AS keptUntil`

const REMOVALS = `removals r LEFT JOIN users u ON u.id = r.creator_id
  LEFT JOIN removed_documents k ON k.id = r.document_id`

const FIND_REMOVAL = `SELECT ${COLUMNS} FROM ${REMOVALS} WHERE r.document_id = ?1`

export const findRemoval = (db: Database, documentId: string): Promise<Removal | null> =>
  db.first<Removal>([FIND_REMOVAL, documentId])

const LIST = { columns: COLUMNS, from: REMOVALS, order: ['r.removed_at', 'r.document_id'] } as const

export const listRemovalsOfCreator = (
  db: Database,
  creatorId: string,
  page: ListPageOptions,
): Promise<ListPage<Removal>> =>
  listPage(db, { ...page, ...LIST, where: 'r.creator_id = ?4', parameters: [creatorId] })

export const listRemovals = (db: Database, page: ListPageOptions): Promise<ListPage<Removal>> =>
  listPage(db, { ...page, ...LIST })

export const getContentToDelete = (removed: readonly RemovedRow[]): string[] =>
  removed.filter(({ kept }) => kept === 0).map((row) => row.content_key)

type RemovalRequest = Pick<RemoveAllOptions, 'by' | 'reason' | 'now' | 'blockContent' | 'keepMs'>

/** Returns null for a document that has a hash, and where there is nothing to hash. */
async function computeMissingHash(
  { db, contents }: DocumentStore,
  documentId: string,
  now: Instant,
): Promise<string | null> {
  const [document] = await db.ask(anyDocument(documentId, now))
  if (!document || document.encrypted) return null
  const row = await db.first(['SELECT 1 FROM documents WHERE id = ?1 AND content_hash IS NULL', documentId])
  if (row === null) return null
  try {
    return await hashContent(encodeText(await new StoredContent(contents, document).read()))
  } catch (error) {
    // Content that is missing can't be hashed, but the document must go.
    if (error instanceof StaleDocumentError) return null
    throw error
  }
}

/** If several moderators remove it at the same time, the first one is recorded. @throws AppError `not_found`. */
export async function takeDownDocument(
  store: DocumentStore,
  documentId: string,
  { by, reason, now, blockContent = false, keepMs }: RemovalRequest,
): Promise<Removal> {
  const { db } = store
  const contentHash = blockContent ? await computeMissingHash(store, documentId, now) : null
  const options = { by, reason, now, deadline: db.deadline(), blockContent, contentHash, keepMs }
  const [, , , removed, , , found] = await db.idempotentBatch([
    ...removalStatements(documentId, options),
    [FIND_REMOVAL, documentId],
  ])
  // Empty if the first attempt's answer was lost. Cleanup then deletes the content.
  const contents = getContentToDelete(removed as RemovedRow[])
  if (contents.length > 0) store.defer(() => deleteContent(store, contents))
  const [removal] = found as Removal[]
  if (!removal) throw documentNotFound()
  return removal
}

/** @throws AppError `not_found` if nothing is kept of it, or not any more. */
export async function restoreDocument(
  { db }: Pick<DocumentStore, 'db'>,
  documentId: string,
  { by, now }: { by: string; now: Instant },
): Promise<void> {
  const options = { actor: by, now, version: generateVersion(), deadline: db.deadline() }
  const restored = (await db.idempotentBatch(undoStatements(documentId, options))).at(-1)
  if (!restored?.length) throw documentNotFound()
}
