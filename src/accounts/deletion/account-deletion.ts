import { auditRowsStatement } from '../../platform/audit-log.ts'
import type { Database } from '../../platform/database.ts'
import { finishDeletionStatement } from './finish-deletion-statement.ts'

/** What happens to an account's documents when it is deleted. */
type DocumentsChoice = 'delete' | 'keep'

/** Returns true if a form's value is a valid choice. */
export const isDocumentsChoice = (candidate: string | undefined): candidate is DocumentsChoice =>
  candidate === 'delete' || candidate === 'keep'

/**
 * Starts the deletion of an account: revokes all its keys and sessions in one transaction. From then on nobody can
 * act for the account; `processAccountDeletion` deletes its documents and its row.
 *
 * @returns what happens to the documents: if the deletion was requested twice, the first choice.
 */
export async function startAccountDeletion(
  db: Database,
  id: string,
  documents: DocumentsChoice,
  now = Date.now(),
): Promise<DocumentsChoice> {
  const [recorded] = await db.idempotentBatch([
    ['UPDATE users SET leaving = coalesce(leaving, ?2) WHERE id = ?1 RETURNING leaving', id, documents],
    auditRowsStatement(
      {
        action: 'account.delete',
        now,
        actor: 'username',
        subject: 'username',
        // Keys go with the account. A deletion that was requested twice is recorded once.
        from: 'FROM users WHERE id = ?5 AND EXISTS (SELECT 1 FROM sessions WHERE user_id = ?5)',
      },
      id,
    ),
    ['DELETE FROM sessions WHERE user_id = ?1', id],
    ['DELETE FROM api_keys WHERE user_id = ?1', id],
  ])
  const [row] = recorded as { leaving: DocumentsChoice }[]
  return row?.leaving ?? documents
}

export interface AccountDeletion {
  readonly id: string
  readonly documents: DocumentsChoice
}

/**
 * Returns some of the accounts whose deletion isn't finished. The order is random, because some may wait a long time
 * for their gists and must not hold up the others.
 */
export const findAccountDeletions = (db: Database, limit: number): Promise<AccountDeletion[]> =>
  db.all<AccountDeletion>([
    'SELECT id, leaving AS documents FROM users WHERE leaving IS NOT NULL ORDER BY random() LIMIT ?1',
    limit,
  ])

/** Deletes the row of an account that is being deleted, once nothing else is left to delete. */
export async function finishAccountDeletion(db: Database, id: string): Promise<void> {
  await db.idempotentBatch([[finishDeletionStatement('?1'), id]])
}
