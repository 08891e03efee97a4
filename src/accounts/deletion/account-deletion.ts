import type { Database } from '../../platform/database.ts'
import { finishStatement } from './finish-statement.ts'

/** What becomes of the documents of an account that is deleted. */
type DocumentsFate = 'delete' | 'keep'

/** Whether a text is one of the fates. */
export const isDocumentsFate = (candidate: string | undefined): candidate is DocumentsFate =>
  candidate === 'delete' || candidate === 'keep'

/**
 * Begins the deletion of an account: in one transaction all its keys and sessions die. From then on nobody
 * can act for it, and what is left is work: its documents, and at last its row.
 *
 * @returns what becomes of the documents: what was asked for first, if it was asked for twice.
 */
export async function beginAccountDeletion(
  db: Database,
  id: string,
  documents: DocumentsFate,
): Promise<DocumentsFate> {
  const [recorded] = await db.idempotentBatch([
    ['UPDATE users SET leaving = coalesce(leaving, ?2) WHERE id = ?1 RETURNING leaving', id, documents],
    ['DELETE FROM sessions WHERE user_id = ?1', id],
    ['DELETE FROM api_keys WHERE user_id = ?1', id],
  ])
  const [row] = recorded as { leaving: DocumentsFate }[]
  return row?.leaving ?? documents
}

export interface AccountDeletion {
  readonly id: string
  readonly documents: DocumentsFate
}

/** Some of the accounts whose deletion is not done, others each time: some may wait for their gists for long. */
export const findAccountDeletions = (db: Database, limit: number): Promise<AccountDeletion[]> =>
  db.all<AccountDeletion>([
    'SELECT id, leaving AS documents FROM users WHERE leaving IS NOT NULL ORDER BY random() LIMIT ?1',
    limit,
  ])

/** Deletes the row of an account that is leaving, if nothing is left to do for it. */
export async function finishAccountDeletion(db: Database, id: string): Promise<void> {
  await db.idempotentBatch([[finishStatement('?1'), id]])
}
