import type { Database } from '../../../platform/database.ts'

/** A revision whose content KV deletes before its document expires. */
export interface OutlivedRevision {
  readonly documentId: string
  readonly number: number
  readonly contentKey: string
  /** When the content was stored, or a later time. */
  readonly storedAt: number
  /** When the document expires. */
  readonly expiresAt: number
}

/** Returns revisions whose content KV deletes between two times although their document lives on, the most urgent first. */
export const findOutlivedRevisions = (
  db: Database,
  { now, before, limit }: { now: number; before: number; limit: number },
): Promise<OutlivedRevision[]> =>
  db.all<OutlivedRevision>([
    `SELECT r.document_id AS documentId, r.number, r.content_key AS contentKey, d.updated_at AS storedAt,
        d.expires_at AS expiresAt
      FROM revisions r JOIN documents d ON d.id = r.document_id
      WHERE r.outlived = 1 AND r.content_until > ?1 AND r.content_until < ?2 AND d.expires_at > ?1
      ORDER BY r.content_until LIMIT ?3`,
    now,
    before,
    limit,
  ])

/**
 * Makes a revision refer to a copy of its content. A trigger records the old content as a pending deletion.
 *
 * @returns false if the revision has been deleted, or another run was first: nothing then refers to the copy.
 */
export async function replaceContentOfRevision(
  db: Database,
  { documentId, number, contentKey }: OutlivedRevision,
  copy: { readonly contentKey: string; readonly contentExpiresAt: number },
): Promise<boolean> {
  const [, found] = await db.idempotentBatch([
    // The document's expiry may have changed since the copy was begun.
    [
      `UPDATE revisions SET content_key = ?4, content_until = ?5,
          outlived = (SELECT ?5 < min(expires_at + 300000, 253402300799999) FROM documents WHERE id = ?1)
        WHERE document_id = ?1 AND number = ?2 AND content_key = ?3`,
      documentId,
      number,
      contentKey,
      copy.contentKey,
      copy.contentExpiresAt,
    ],
    [
      'SELECT 1 FROM revisions WHERE document_id = ?1 AND number = ?2 AND content_key = ?3',
      documentId,
      number,
      copy.contentKey,
    ],
  ])
  return found?.length === 1
}

/** Deletes revisions whose content KV has deleted before it could be copied. */
export async function deleteLostRevisions(db: Database, now: number): Promise<void> {
  await db.all(['DELETE FROM revisions WHERE outlived = 1 AND content_until <= ?1', now])
}
