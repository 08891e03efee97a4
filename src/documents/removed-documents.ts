import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import type { Viewer } from './document.ts'

/*
 * A document that staff removed is no row of `documents` any more, so no query shows it. For a while, its row is in
 * `removed_documents`, so that staff can restore it (src/moderation/undo-statements.ts). Deleting that row makes its
 * content a pending deletion.
 */

/** A creator may want even less of it to be left. @returns the keys of content that is then pending deletion. */
export async function deleteOwnRemovedDocument(
  db: Database,
  id: string,
  { id: accountId, tokenHash = null }: Viewer,
): Promise<string[]> {
  const deleted = await db.all<{ content_key: string }>([
    `DELETE FROM removed_documents WHERE id = ?1 AND (creator_id = ?2 OR token_hash = ?3) RETURNING content_key`,
    id,
    accountId,
    tokenHash,
  ])
  return deleted.map((row) => row.content_key)
}

/**
 * Deletes up to `limit` removed documents that nobody can restore any more, the earliest first. Returns how many there
 * were.
 */
export async function deleteKeptDocuments(db: Database, before: Instant, limit: number): Promise<number> {
  const deleted = await db.all([
    `DELETE FROM removed_documents WHERE id IN (
        SELECT id FROM removed_documents WHERE kept_until <= ?1 ORDER BY kept_until LIMIT ?2)
      RETURNING 1`,
    before,
    limit,
  ])
  return deleted.length
}

/**
 * Deletes what is kept of an account's removed documents. That is right whatever happens to its other documents: nobody
 * could ask for these any more.
 */
export async function deleteKeptDocumentsOfAccount(
  db: Database,
  creatorId: string,
  limit: number,
): Promise<number> {
  const deleted = await db.all([
    `DELETE FROM removed_documents WHERE id IN (
        SELECT id FROM removed_documents WHERE creator_id = ?1 LIMIT ?2)
      RETURNING 1`,
    creatorId,
    limit,
  ])
  return deleted.length
}
