import { deleteContent } from '../../documents/content/delete-content.ts'
import type { DocumentStorage } from '../../documents/document-store.ts'
import {
  anonymizeDocumentsOfAccount,
  deleteDocumentsOfAccount,
} from '../../documents/sql/documents-of-account.ts'
import { type AccountDeletion, findAccountDeletions, finishAccountDeletion } from './account-deletion.ts'

/** Each one fires triggers and updates indexes; this many stay well within D1's limit of 30 seconds. */
const DOCUMENTS_PER_STATEMENT = 500
/** KV deletions made right away. Cleanup makes the rest. */
const MAX_CONTENT_DELETIONS = 50
const MAX_ACCOUNTS_PER_RUN = 20

/**
 * Deletes an account's documents, or makes them anonymous, in batches, and then its row. May run twice at once and be
 * interrupted anywhere: the next run continues.
 *
 * @param hasTime called before each batch.
 * @returns true if the deletion is finished.
 */
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
  await finishAccountDeletion(db, deletion.id)
  return true
}

/**
 * Continues account deletions, for the scheduled trigger. An account that fails doesn't stop the others.
 *
 * @returns how many it finished.
 * @throws the first error, after all accounts.
 */
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
