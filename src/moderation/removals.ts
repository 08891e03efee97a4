import { encodeText, hashContent } from '../documents/content.ts'
import { anyDocument } from '../documents/document-statements.ts'
import type { DocumentStore } from '../documents/document-store.ts'
import { deleteContent } from '../documents/pending-deletions.ts'
import { StaleDocumentError, StoredContent } from '../documents/stored-content.ts'
import { documentNotFound } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { type Page, parseCursor, toPage } from './cursor.ts'
import { removalStatements } from './removal-statements.ts'

/** The record of a document that a moderator removed. */
export interface Removal {
  readonly documentId: string
  readonly creatorId: string | null
  /** A username; null if the document was anonymous or the account is gone. */
  readonly creator: string | null
  readonly title: string | null
  /** Milliseconds since 1970. */
  readonly removedAt: number
  /** The moderator's username, or "operator" for the command line. */
  readonly removedBy: string
  readonly reason: string
}

const REMOVALS = `
  SELECT r.document_id AS documentId, r.creator_id AS creatorId, u.username AS creator, r.title,
    r.removed_at AS removedAt, r.removed_by AS removedBy, r.reason
  FROM removals r LEFT JOIN users u ON u.id = r.creator_id`

const FIND_REMOVAL = `${REMOVALS} WHERE r.document_id = ?1`

/** Returns the record of a removal, or null if no document with this id was removed. */
export const findRemoval = (db: Database, documentId: string): Promise<Removal | null> =>
  db.first<Removal>([FIND_REMOVAL, documentId])

interface PageOptions {
  /** From the previous page; undefined for the first. */
  readonly cursor?: string | undefined
  readonly limit: number
}

const getPosition = ({ removedAt, documentId }: Removal) => ({ at: removedAt, id: documentId })

/**
 * Returns one page of the removals of an account's documents, newest first. One query.
 *
 * @throws AppError `bad_request` for an invalid cursor.
 */
export async function listRemovalsOfCreator(
  db: Database,
  creatorId: string,
  { cursor, limit }: PageOptions,
): Promise<Page<Removal>> {
  const { at, id } = parseCursor(cursor)
  const found = await db.all<Removal>([
    `${REMOVALS} WHERE r.creator_id = ?1 AND (r.removed_at, r.document_id) < (?2, ?3)
      ORDER BY r.removed_at DESC, r.document_id DESC LIMIT ?4`,
    creatorId,
    at,
    id,
    limit + 1,
  ])
  return toPage(found, limit, getPosition)
}

/**
 * Returns one page of all removals, newest first. One query.
 *
 * @throws AppError `bad_request` for an invalid cursor.
 */
export async function listRemovals(db: Database, { cursor, limit }: PageOptions): Promise<Page<Removal>> {
  const { at, id } = parseCursor(cursor)
  const found = await db.all<Removal>([
    `${REMOVALS} WHERE (r.removed_at, r.document_id) < (?1, ?2)
      ORDER BY r.removed_at DESC, r.document_id DESC LIMIT ?3`,
    at,
    id,
    limit + 1,
  ])
  return toPage(found, limit, getPosition)
}

interface RemovalRequest {
  /** The moderator's username. */
  readonly by: string
  readonly reason: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether nobody may share the same content again. */
  readonly blockContent?: boolean
}

/** Returns the hash of the content of a document that was stored without one; null if there is nothing to hash. */
async function computeMissingHash(
  { db, contents }: DocumentStore,
  documentId: string,
  now: number,
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

/**
 * Removes any document, with its reports and its content, and records the removal. If several moderators remove a
 * document at the same time, the first one is recorded.
 *
 * @param reason 1 to `MAX_REASON_CHARACTERS` characters; shown to the creator.
 * @returns the record, which is another moderator's if they removed the document first.
 * @throws AppError `not_found` if there is no document and no removal, or `unavailable`.
 */
export async function removeDocument(
  store: DocumentStore,
  documentId: string,
  { by, reason, now, blockContent = false }: RemovalRequest,
): Promise<Removal> {
  const { db } = store
  const contentHash = blockContent ? await computeMissingHash(store, documentId, now) : null
  const [, , deleted, , found] = await db.idempotentBatch([
    ...removalStatements(documentId, { by, reason, now, deadline: db.deadline(), blockContent, contentHash }),
    [FIND_REMOVAL, documentId],
  ])
  // Empty if the first attempt's answer was lost. Cleanup then deletes the content.
  const contents = (deleted as { content_key: string }[]).map((row) => row.content_key)
  if (contents.length > 0) store.defer(() => deleteContent(store, contents))
  const [removal] = found as Removal[]
  if (!removal) throw documentNotFound()
  return removal
}
