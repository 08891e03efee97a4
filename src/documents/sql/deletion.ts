import type { Database } from '../../platform/database.ts'
import type { Document, Viewer } from '../model/document.ts'

/**
 * Deletes an instant_delete document for the one reader who gets it.
 *
 * The row is marked and deleted in one transaction, and the trigger passes the mark on to
 * `detached_contents`. The last statement reads it there, so a burn whose answer was lost can be asked
 * for again and learns whether it was this one that took place.
 *
 * @param mark unique to this reader.
 * @returns whether this reader is the one.
 */
export async function burnDocument(
  db: Database,
  { document, mark, now }: { document: Document; mark: string; now: number },
): Promise<boolean> {
  const [, , burned] = await db.idempotentBatch([
    [
      `UPDATE documents SET burn_mark = ?3
        WHERE id = ?1 AND version = ?2 AND instant_delete = 1 AND expires_at > ?4
          AND unixepoch() * 1000 < ?5`,
      document.id,
      document.version,
      mark,
      now,
      db.deadline(),
    ],
    ['DELETE FROM documents WHERE id = ?1 AND burn_mark = ?2', document.id, mark],
    ['SELECT 1 FROM detached_contents WHERE content_key = ?1 AND burn_mark = ?2', document.contentKey, mark],
  ])
  return burned?.length === 1
}

/** Deletes a document for its creator. Deleting what is gone already is no error. */
export async function deleteDocument(db: Database, document: Document): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM documents WHERE id = ?1 AND creator_id = ?2', document.id, document.creator?.id ?? null],
  ])
}

/**
 * Deletes those of some documents that an account created.
 *
 * @returns the keys of their contents. When an answer was lost the second try finds nothing to delete and knows
 * none: then cleanup removes what the rows have let go.
 */
export async function deleteDocuments(
  db: Database,
  ids: readonly string[],
  creator: Viewer,
): Promise<string[]> {
  const [deleted] = await db.idempotentBatch([
    [
      `DELETE FROM documents WHERE id IN (SELECT value FROM json_each(?1)) AND creator_id = ?2
        RETURNING content_key`,
      JSON.stringify(ids),
      creator.id,
    ],
  ])
  return (deleted as { content_key: string }[]).map((row) => row.content_key)
}
