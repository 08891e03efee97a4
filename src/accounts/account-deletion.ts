import { deleteContent } from '../documents/content-store.ts'
import { anonymizeDocumentsOfAccount, deleteDocumentsOfAccount } from '../documents/delete.ts'
import type { DocumentStorage } from '../documents/document-store.ts'
import { deleteKeptDocumentsOfAccount } from '../documents/removed-documents.ts'
import { auditRowsStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { finishDeletionStatement } from './user.ts'

export type DocumentsChoice = 'delete' | 'keep'

export const isDocumentsChoice = (candidate: string | undefined): candidate is DocumentsChoice =>
  candidate === 'delete' || candidate === 'keep'

/**
 * Starts the deletion of an account. Nobody can act for the account any more.
 *
 * @returns the first choice, if the deletion was requested twice.
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

interface AccountDeletion {
  readonly id: string
  readonly documents: DocumentsChoice
}

/** The order is random, because some may wait a long time for their gists and must not hold up the others. */
const findAccountDeletions = (db: Database, limit: number): Promise<AccountDeletion[]> =>
  db.all<AccountDeletion>([
    'SELECT id, leaving AS documents FROM users WHERE leaving IS NOT NULL ORDER BY random() LIMIT ?1',
    limit,
  ])

export async function finishAccountDeletion(db: Database, id: string): Promise<void> {
  await db.idempotentBatch([[finishDeletionStatement('?1'), id]])
}

/** Each one fires triggers and updates indexes; this many stay well within D1's limit of 30 seconds. */
const DOCUMENTS_PER_STATEMENT = 500
/** KV deletions made right away. Cleanup makes the rest. */
const MAX_CONTENT_DELETIONS = 50
const MAX_ACCOUNTS_PER_RUN = 20

/** This may run twice at once and be interrupted anywhere: the next run continues. `hasTime` is asked before each batch. */
export async function processAccountDeletion(
  store: DocumentStorage,
  deletion: AccountDeletion,
  hasTime: () => boolean,
): Promise<boolean> {
  const { db } = store
  for (let processed = DOCUMENTS_PER_STATEMENT; processed === DOCUMENTS_PER_STATEMENT; ) {
    if (!hasTime()) return false
    if (deletion.documents === 'keep') {
      processed = await anonymizeDocumentsOfAccount(db, deletion.id, DOCUMENTS_PER_STATEMENT)
    } else {
      const keys = await deleteDocumentsOfAccount(db, deletion.id, DOCUMENTS_PER_STATEMENT)
      processed = keys.length
      if (processed <= MAX_CONTENT_DELETIONS) await deleteContent(store, keys)
    }
  }
  for (let processed = DOCUMENTS_PER_STATEMENT; processed === DOCUMENTS_PER_STATEMENT; ) {
    if (!hasTime()) return false
    processed = await deleteKeptDocumentsOfAccount(db, deletion.id, DOCUMENTS_PER_STATEMENT)
  }
  await finishAccountDeletion(db, deletion.id)
  return true
}

/** An account that fails doesn't stop the others. @throws the first error, after all accounts. */
export async function processAccountDeletions(
  store: DocumentStorage,
  hasTime: () => boolean,
): Promise<number> {
  let done = 0
  const errors: unknown[] = []
  for (const deletion of await findAccountDeletions(store.db, MAX_ACCOUNTS_PER_RUN)) {
    try {
      if (await processAccountDeletion(store, deletion, hasTime)) done += 1
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return done
}
