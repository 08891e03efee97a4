import { deleteContent } from '../../documents/content/delete-content.ts'
import type { DocumentStorage } from '../../documents/document-store.ts'
import {
  anonymizeDocumentsOfAccount,
  deleteDocumentsOfAccount,
} from '../../documents/sql/account-deletion.ts'
import { type AccountDeletion, findAccountDeletions, finishAccountDeletion } from './account-deletion.ts'

/** Documents that one statement takes: each detaches content and leaves indexes, well within D1's 30 seconds. */
const DOCUMENTS_AT_ONCE = 500
/** Contents that are removed at once; the scheduled trigger removes what is more. */
const MOST_CONTENTS_AT_ONCE = 50
const DEPARTURES_A_RUN = 20

/**
 * Works off an account that is being deleted: its documents, slice by slice, then its row. It may run
 * twice at once and be cut off anywhere: what is left is work for the next run.
 *
 * @param hasTime asked before each slice.
 * @returns whether all of it is done.
 */
export async function processDeletion(
  store: DocumentStorage,
  departure: AccountDeletion,
  hasTime: () => boolean,
): Promise<boolean> {
  const { db } = store
  for (let taken = DOCUMENTS_AT_ONCE; taken === DOCUMENTS_AT_ONCE; ) {
    if (!hasTime()) return false
    if (departure.documents === 'keep') {
      taken = await anonymizeDocumentsOfAccount(db, departure.id, DOCUMENTS_AT_ONCE)
    } else {
      const keys = await deleteDocumentsOfAccount(db, departure.id, DOCUMENTS_AT_ONCE)
      taken = keys.length
      if (taken <= MOST_CONTENTS_AT_ONCE) await deleteContent(store, keys)
    }
  }
  await finishAccountDeletion(db, departure.id)
  return true
}

/** Works off all accounts that are being deleted, for the scheduled trigger. Returns how many are done. */
export async function processDeletions(store: DocumentStorage, hasTime: () => boolean): Promise<number> {
  let done = 0
  for (const departure of await findAccountDeletions(store.db, DEPARTURES_A_RUN)) {
    if (await processDeletion(store, departure, hasTime)) done += 1
  }
  return done
}
