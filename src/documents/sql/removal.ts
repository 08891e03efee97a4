import type { Statement } from '../../platform/statement.ts'

/**
 * Returns the statement that deletes a document whose removal has been recorded. It returns the key of its
 * content, and does nothing after `deadline`.
 *
 * @param removedAt with `removedBy`, identifies the removal.
 */
export const removeDocumentStatement = (
  documentId: string,
  { removedAt, removedBy, deadline }: { removedAt: number; removedBy: string; deadline: number },
): Statement => [
  `DELETE FROM documents WHERE id = ?1
    AND EXISTS (SELECT 1 FROM removals WHERE document_id = ?1 AND removed_at = ?2 AND removed_by = ?3)
    AND unixepoch() * 1000 < ?4
    RETURNING content_key`,
  documentId,
  removedAt,
  removedBy,
  deadline,
]
