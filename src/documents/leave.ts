import type { Viewer } from './document.ts'
import { drawVersion } from './ids.ts'
import type { DocumentStore } from './store.ts'

/**
 * Takes an account out of the editors of a document, which is an edit of its settings and so a version of its
 * own. For whoever is no editor, or where there is no such document, nothing happens.
 *
 * @param now milliseconds since 1970.
 * @throws AppError `unavailable`.
 */
export async function leaveDocument(
  { db }: DocumentStore,
  id: string,
  { viewer, now }: { viewer: Viewer; now: number },
): Promise<void> {
  await db.idempotentBatch([
    [
      `UPDATE documents SET version = ?3, updated_at = ?4,
          has_editors = EXISTS (SELECT 1 FROM document_editors WHERE document_id = ?1 AND user_id <> ?2)
        WHERE id = ?1 AND EXISTS (SELECT 1 FROM document_editors WHERE document_id = ?1 AND user_id = ?2)`,
      id,
      viewer.id,
      drawVersion(),
      now,
    ],
    ['DELETE FROM document_editors WHERE document_id = ?1 AND user_id = ?2', id, viewer.id],
  ])
}
