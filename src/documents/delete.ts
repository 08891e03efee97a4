import { notTheCreator } from '../errors.ts'
import { deleteContent } from './content/delete-content.ts'
import { StaleDocumentError } from './content/stored-content.ts'
import type { DocumentStore } from './document-store.ts'
import { type Account, isCreator, type Viewer } from './model/document.ts'
import { generateVersion } from './model/ids.ts'
import { requireDocument, retryWhileStale } from './read.ts'
import { burnDocument, deleteDocument, deleteDocuments } from './sql/deletion.ts'

/**
 * Deletes a document and everything that belongs to it. A burn-after-reading document counts as not found once a reader
 * has got it, however close the race: its creator must be able to rely on "deleted unread".
 *
 * @throws AppError `not_found`, `bad_auth` for anyone but its creator, `unavailable`.
 */
export async function removeDocument(
  store: DocumentStore,
  id: string,
  { viewer, now }: { viewer: Viewer; now: number },
): Promise<void> {
  const found = await requireDocument(store, id, now)
  const deleted = await retryWhileStale(store, found, now, async (document) => {
    if (!isCreator(document, viewer)) throw notTheCreator()
    const succeeded = document.burnAfterReading
      ? await burnDocument(store.db, { document, mark: generateVersion(), now })
      : await deleteDocument(store.db, id, viewer)
    if (!succeeded) throw new StaleDocumentError(`document ${id} changed while it was being deleted`)
    return document
  })
  store.defer(() => deleteContent(store, [deleted.contentKey]))
  if (deleted.gistUrl !== null) store.scheduleGistSync(id)
}

/**
 * Deletes several documents of their creator at once, and everything that belongs to them. Skips documents that
 * someone else created or that are already gone.
 *
 * @throws AppError `unavailable`.
 */
export async function removeDocuments(
  store: DocumentStore,
  ids: readonly string[],
  creator: Account,
): Promise<void> {
  const contentKeys = await deleteDocuments(store.db, ids, creator)
  if (contentKeys.length > 0) store.defer(() => deleteContent(store, contentKeys))
}
