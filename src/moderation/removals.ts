import { deleteContent } from '../documents/content/delete-content.ts'
import type { DocumentStore } from '../documents/document-store.ts'
import { documentNotFound } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { fromCursor, type Page, toPage } from './cursor.ts'
import { removalStatements } from './statements.ts'

/** The record of a document that the operator removed. */
export interface Removal {
  readonly documentId: string
  readonly creatorId: string | null
  /** A username; null for an anonymous document, and when the account is gone. */
  readonly creator: string | null
  readonly title: string | null
  /** Milliseconds since 1970. */
  readonly removedAt: number
  /** The username of whoever removed it, or "operator" for the command line. */
  readonly removedBy: string
  readonly reason: string
}

const REMOVALS = `
  SELECT r.document_id AS documentId, r.creator_id AS creatorId, u.username AS creator, r.title,
    r.removed_at AS removedAt, r.removed_by AS removedBy, r.reason
  FROM removals r LEFT JOIN users u ON u.id = r.creator_id`

const FIND = `${REMOVALS} WHERE r.document_id = ?1`

/** How a document was removed; null when nobody removed one with this id. */
export const findRemoval = (db: Database, documentId: string): Promise<Removal | null> =>
  db.first<Removal>([FIND, documentId])

interface PageOptions {
  /** Of the page before; undefined for the first. */
  readonly cursor?: string | undefined
  readonly limit: number
}

const positionOf = ({ removedAt, documentId }: Removal) => ({ at: removedAt, id: documentId })

/**
 * One page of the removals of documents that an account created, the latest first. One query.
 *
 * @throws AppError `bad_request` for a cursor that no page gave.
 */
export async function findRemovals(
  db: Database,
  creatorId: string,
  { cursor, limit }: PageOptions,
): Promise<Page<Removal>> {
  const { at, id } = fromCursor(cursor)
  const found = await db.all<Removal>([
    `${REMOVALS} WHERE r.creator_id = ?1 AND (r.removed_at, r.document_id) < (?2, ?3)
      ORDER BY r.removed_at DESC, r.document_id DESC LIMIT ?4`,
    creatorId,
    at,
    id,
    limit + 1,
  ])
  return toPage(found, limit, positionOf)
}

/**
 * One page of all removals, the latest first. One query.
 *
 * @throws AppError `bad_request` for a cursor that no page gave.
 */
export async function listRemovals(db: Database, { cursor, limit }: PageOptions): Promise<Page<Removal>> {
  const { at, id } = fromCursor(cursor)
  const found = await db.all<Removal>([
    `${REMOVALS} WHERE (r.removed_at, r.document_id) < (?1, ?2)
      ORDER BY r.removed_at DESC, r.document_id DESC LIMIT ?3`,
    at,
    id,
    limit + 1,
  ])
  return toPage(found, limit, positionOf)
}

/**
 * Removes a document, whoever made it, with its reports and its content, and records that. Of those who
 * remove one document at once, the first is recorded.
 *
 * @param reason 1 to 500 characters; the creator reads it.
 * @returns the record, which is somebody else's where they removed it before.
 * @throws AppError `not_found` when the document is gone and nobody removed it, `unavailable`.
 */
export async function removeByOperator(
  store: DocumentStore,
  documentId: string,
  { by, reason, now }: { by: string; reason: string; now: number },
): Promise<Removal> {
  const { db } = store
  const [, deleted, found] = await db.idempotentBatch([
    ...removalStatements(documentId, { by, reason, now, deadline: db.deadline() }),
    [FIND, documentId],
  ])
  // When the answer that had it was lost, the cleanup finds it.
  const contents = (deleted as { content_key: string }[]).map((row) => row.content_key)
  if (contents.length > 0) store.defer(() => deleteContent(store, contents))
  const [removal] = found as Removal[]
  if (!removal) throw documentNotFound()
  return removal
}
