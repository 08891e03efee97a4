import { removeDocumentStatement } from '../documents/sql/removal.ts'
import type { Statement } from '../platform/statement.ts'

export const MAX_REASON_CHARACTERS = 500

interface RemovalOptions {
  /** The moderator's username. */
  readonly by: string
  readonly reason: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** When the statements stop having any effect, in milliseconds since 1970. */
  readonly deadline: number
}

/**
 * Returns the statements that record the removal of a document and delete it, for one transaction. Running them again
 * does nothing. The second one returns the key of the content. Both the site and the command line use them.
 */
export const removalStatements = (
  documentId: string,
  { by, reason, now, deadline }: RemovalOptions,
): readonly [record: Statement, remove: Statement] => [
  [
    // Ids of deleted documents may be reused. The record is about the last document that had the id.
    `INSERT INTO removals (document_id, creator_id, title, removed_at, removed_by, reason)
      SELECT id, creator_id, title, ?2, ?3, ?4 FROM documents
      WHERE id = ?1 AND expires_at > ?2 AND unixepoch() * 1000 < ?5
      ON CONFLICT (document_id) DO UPDATE
        SET creator_id = excluded.creator_id, title = excluded.title, removed_at = excluded.removed_at,
          removed_by = excluded.removed_by, reason = excluded.reason`,
    documentId,
    now,
    by,
    reason,
    deadline,
  ],
  removeDocumentStatement(documentId, { removedAt: now, removedBy: by, deadline }),
]
