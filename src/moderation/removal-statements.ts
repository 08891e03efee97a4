import { auditStatement } from '../platform/audit-log.ts'
import type { Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'

export const MAX_REASON_CHARACTERS = 500

interface RemovalOptions {
  readonly by: string
  readonly reason: string
  readonly now: Instant
  /** When the statements stop having any effect. */
  readonly deadline: Instant
  /** Whether nobody may share the same content again. Encrypted content can't be recognized. */
  readonly blockContent?: boolean
  /** The hash of the content, for a document that was stored without one. */
  readonly contentHash?: string | null
  /** Who the audit log names, if not `by`. */
  readonly actor?: string
}

/**
 * For one transaction. Running them again does nothing. The third one returns the key of the content. Also for the
 * command line.
 */
export const removalStatements = (
  documentId: string,
  { by, reason, now, deadline, blockContent = false, contentHash = null, actor = by }: RemovalOptions,
): readonly [record: Statement, block: Statement, remove: Statement, audit: Statement] => {
  const record: Statement = [
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
  ]
  return [
    record,
    [
      `INSERT OR IGNORE INTO blocks (kind, value, reason, created_by, created_at)
        SELECT 'content', coalesce(content_hash, ?4), ?5, ?3, ?2 FROM documents
        WHERE id = ?1 AND ?6 = 1 AND coalesce(content_hash, ?4) IS NOT NULL
          AND EXISTS (SELECT 1 FROM removals WHERE document_id = ?1 AND removed_at = ?2 AND removed_by = ?3)`,
      documentId,
      now,
      by,
      contentHash,
      reason,
      Number(blockContent),
    ],
    [
      `DELETE FROM documents WHERE id = ?1
        AND EXISTS (SELECT 1 FROM removals WHERE document_id = ?1 AND removed_at = ?2 AND removed_by = ?3)
        AND unixepoch() * 1000 < ?4
        RETURNING content_key`,
      documentId,
      now,
      by,
      deadline,
    ],
    auditStatement(
      { actor, action: 'document.remove', subject: documentId, detail: reason, now },
      'EXISTS (SELECT 1 FROM removals WHERE document_id = ?5 AND removed_at = ?2)',
    ),
  ]
}
