import type { Database } from '../storage.ts'

/** What becomes of the documents of an account that is deleted. */
export type DocumentsFate = 'delete' | 'keep'

/** Whether a text is one of the fates. */
export const isDocumentsFate = (candidate: string | undefined): candidate is DocumentsFate =>
  candidate === 'delete' || candidate === 'keep'

/**
 * Begins the deletion of an account: in one transaction all its keys and sessions die. From then on nobody
 * can act for it, and what is left is work: its documents, and at last its row.
 */
export async function beginDeparture(db: Database, id: string, documents: DocumentsFate): Promise<void> {
  await db.idempotentBatch([
    ['UPDATE users SET leaving = coalesce(leaving, ?2) WHERE id = ?1', id, documents],
    ['DELETE FROM sessions WHERE user_id = ?1', id],
    ['DELETE FROM api_keys WHERE user_id = ?1', id],
  ])
}

export interface Departure {
  readonly id: string
  readonly documents: DocumentsFate
}

/** Some of the accounts whose deletion is not done, others each time: some may wait for their gists for long. */
export const findDepartures = (db: Database, limit: number): Promise<Departure[]> =>
  db.all<Departure>([
    'SELECT id, leaving AS documents FROM users WHERE leaving IS NOT NULL ORDER BY random() LIMIT ?1',
    limit,
  ])

/** Attempts after which a gist is left to whoever runs GitHub: half a day of them. */
const MOST_GIST_ATTEMPTS = 10

/**
 * Deletes the row of an account that is leaving, with all that hangs on it, once it has no documents, and no
 * gists of deleted documents that its token could still delete.
 */
export async function finishDeparture(db: Database, id: string): Promise<void> {
  await db.idempotentBatch([
    [
      `DELETE FROM users WHERE id = ?1 AND leaving IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM documents WHERE creator_id = ?1)
        AND NOT EXISTS (
          SELECT 1 FROM gists
          WHERE user_id = ?1 AND refusal IS NULL AND attempts < ${MOST_GIST_ATTEMPTS}
            AND document_id NOT IN (SELECT id FROM documents WHERE id = gists.document_id))`,
      id,
    ],
  ])
}
