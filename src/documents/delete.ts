import { documentNotFound, notTheCreator } from '../errors.ts'
import { burnDocument, deleteDocument, deleteDocuments } from './delete-statements.ts'
import { type Account, type Document, generateVersion, isCreator, type Viewer } from './document.ts'
import type { DocumentStore } from './document-store.ts'
import { deleteContent } from './pending-deletions.ts'
import { retryWhileStale } from './read.ts'
import { StaleDocumentError } from './stored-content.ts'

/**
 * Deletes a document and everything that belongs to it. A document counts as not found once somebody else has deleted
 * it or a reader has burned it, however close the race: its creator must be able to rely on "deleted unread".
 *
 * @throws AppError `not_found`, `bad_auth` for anyone but its creator, `unavailable`.
 */
export async function removeDocument(
  store: DocumentStore,
  found: Document,
  { viewer, now }: { viewer: Viewer; now: number },
): Promise<void> {
  const { id } = found
  const { contentKey, gistUrl } = await retryWhileStale(store, found, now, async (document) => {
    if (!isCreator(document, viewer)) throw notTheCreator()
    const mark = generateVersion()
    if (!document.burnAfterReading) {
      const deleted = await deleteDocument(store.db, { id, viewer, mark })
      if (deleted === null) throw documentNotFound()
      if (deleted !== 'changed') return { ...document, ...deleted }
    } else if (await burnDocument(store.db, { document, mark, now })) return document
    throw new StaleDocumentError(`document ${id} changed while it was being deleted`)
  })
  store.defer(() => deleteContent(store, [contentKey]))
  if (gistUrl !== null) store.scheduleGistSync(id)
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
