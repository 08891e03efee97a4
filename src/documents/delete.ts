import { documentNotFound, notTheCreator } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { NEVER } from '../shared/expiry.ts'
import type { Instant } from '../shared/instant.ts'
import { deleteContent } from './content-store.ts'
import { type Account, type Document, generateVersion, isCreator, type Viewer } from './document.ts'
import type { DocumentStore } from './document-store.ts'
import { burnDocument, retryWhileStale, StaleDocumentError } from './read.ts'
import { deleteOwnRemovedDocument } from './removed-documents.ts'

/**
 * @param mark unique to this request. Somebody may turn burning on, and a reader burn the document, before this runs or
 * runs again because its response was lost: only the mark tells who deleted it.
 * @returns null if somebody else deleted it first; 'changed' if the document burns now, or has another creator.
 */
async function deleteRow(
  db: Database,
  { id, viewer, mark }: { id: string; viewer: Viewer; mark: string },
): Promise<{ readonly contentKey: string } | 'changed' | null> {
  const [, deleted, left] = await db.idempotentBatch([
    [
      `UPDATE documents SET burn_mark = ?4
        WHERE id = ?1 AND (creator_id = ?2 OR token_hash = ?3) AND instant_delete = 0`,
      id,
      viewer.id,
      viewer.tokenHash ?? null,
      mark,
    ],
    ['DELETE FROM documents WHERE id = ?1 AND burn_mark = ?2 RETURNING content_key AS contentKey', id, mark],
    ['SELECT 1 FROM documents WHERE id = ?1', id],
  ])
  const [row] = deleted as { contentKey: string }[]
  if (row) return row
  if (left?.length) return 'changed'
  // Reads every pending deletion, of which there are few. Only a lost response or a race comes here.
  return db.first<{ contentKey: string }>([
    'SELECT content_key AS contentKey FROM detached_contents WHERE burn_mark = ?1',
    mark,
  ])
}

/** Deletes up to `limit` documents that have expired, the earliest first. Returns how many there were. */
export async function deleteExpiredDocuments(db: Database, before: Instant, limit: number): Promise<number> {
  const deleted = await db.all([
    `DELETE FROM documents WHERE id IN (
        SELECT id FROM documents WHERE expires_at <= ?1 AND expires_at < ${NEVER}
        ORDER BY expires_at LIMIT ?2)
      RETURNING 1`,
    before,
    limit,
  ])
  return deleted.length
}

/** Returns the keys of their content, which is then pending deletion. */
export async function deleteDocumentsOfAccount(
  db: Database,
  creatorId: string,
  limit: number,
): Promise<string[]> {
  const deleted = await db.all<{ content_key: string }>([
    `DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE creator_id = ?1 LIMIT ?2)
      RETURNING content_key`,
    creatorId,
    limit,
  ])
  return deleted.map((row) => row.content_key)
}

export async function anonymizeDocumentsOfAccount(
  db: Database,
  creatorId: string,
  limit: number,
): Promise<number> {
  const anonymized = await db.all([
    `UPDATE documents SET creator_id = NULL, version = hex(randomblob(6))
      WHERE id IN (SELECT id FROM documents WHERE creator_id = ?1 LIMIT ?2) RETURNING 1`,
    creatorId,
    limit,
  ])
  return anonymized.length
}

/**
 * Deletes what staff can still restore, if it's the viewer's own document that they removed.
 *
 * @throws AppError `not_found`.
 */
async function deleteRemovedDocument(store: DocumentStore, id: string, viewer: Viewer): Promise<void> {
  const contentKeys = await deleteOwnRemovedDocument(store.db, id, viewer)
  if (contentKeys.length === 0) throw documentNotFound()
  store.defer(() => deleteContent(store, contentKeys))
}

/**
 * A document counts as not found once somebody else has deleted it or a reader has burned it, however close the race:
 * its creator must be able to rely on "deleted unread".
 *
 * @param found the document at the address; null if there is none, or if staff removed it.
 * @throws AppError `not_found`, `bad_auth` for anyone but its creator, `unavailable`.
 */
export async function deleteDocument(
  store: DocumentStore,
  { address, found, viewer, now }: { address: string; found: Document | null; viewer: Viewer; now: Instant },
): Promise<void> {
  if (!found) return deleteRemovedDocument(store, address, viewer)
  const { id } = found
  const { contentKey, gistUrl } = await retryWhileStale(store, found, now, async (document) => {
    if (!isCreator(document, viewer)) throw notTheCreator()
    const mark = generateVersion()
    if (!document.burnAfterReading) {
      const deleted = await deleteRow(store.db, { id, viewer, mark })
      if (deleted === null) throw documentNotFound()
      if (deleted !== 'changed') return { ...document, ...deleted }
    } else if (await burnDocument(store.db, { document, mark, now })) return document
    throw new StaleDocumentError(`document ${id} changed while it was being deleted`)
  }).finally(() => store.forget(id))
  store.defer(() => deleteContent(store, [contentKey]))
  if (gistUrl !== null) store.scheduleGistSync(id)
}

export async function deleteOwnDocuments(
  store: DocumentStore,
  ids: readonly string[],
  creator: Account,
): Promise<void> {
  const [deleted] = await store.db.idempotentBatch([
    [
      // The + keeps SQLite from reading all documents of the account.
      `DELETE FROM documents WHERE id IN (SELECT value FROM json_each(?1)) AND +creator_id = ?2
        RETURNING content_key`,
      JSON.stringify(ids),
      creator.id,
    ],
  ])
  for (const id of ids) store.forget(id)
  // Empty if the response of the first try was lost: cleanup deletes the content.
  const contentKeys = (deleted as { content_key: string }[]).map((row) => row.content_key)
  if (contentKeys.length > 0) store.defer(() => deleteContent(store, contentKeys))
}
