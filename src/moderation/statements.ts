import { removeDocumentStatement } from '../documents/sql/removal.ts'
import type { Statement } from '../platform/statement.ts'

export const MAX_REASON_CHARACTERS = 500

interface RemovalOptions {
  /** Who removes it. */
  readonly by: string
  readonly reason: string
  /** Milliseconds since 1970, as the deadline: from then on the statements do nothing. */
  readonly now: number
  readonly deadline: number
}

/**
 * Records the removal of a document and deletes it, for one transaction; run again, they do nothing. The
 * second one answers the key of its content. The site removes by them, and so does the command line.
 */
export const removalStatements = (
  documentId: string,
  { by, reason, now, deadline }: RemovalOptions,
): readonly [record: Statement, remove: Statement] => [
  [
    // Short ids come back in the end: then the record is of the document that had it last.
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
