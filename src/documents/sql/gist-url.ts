import type { Statement } from '../../platform/statement.ts'

/**
 * Returns the statement that sets the address of a document's gist, or clears it. It does nothing once the lease
 * on the gist is over.
 *
 * @param leasedUntil identifies the lease.
 */
export const gistUrlStatement = (
  { documentId, leasedUntil }: { documentId: string; leasedUntil: number },
  url: string | null,
): Statement => [
  `UPDATE documents SET gist_url = ?3
    WHERE id = ?1 AND EXISTS (SELECT 1 FROM gists WHERE document_id = ?1 AND leased_until = ?2)`,
  documentId,
  leasedUntil,
  url,
]
