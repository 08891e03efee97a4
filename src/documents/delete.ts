import { notTheCreator } from '../errors.ts'
import { deleteContent } from './content/delete-content.ts'
import type { DocumentStore } from './document-store.ts'
import { isCreator, type Viewer } from './model/document.ts'
import { requireDocument } from './read.ts'
import { deleteDocument, deleteDocuments } from './sql/deletion.ts'

/**
 * Deletes a document and everything that belongs to it.
 *
 * @throws AppError `not_found`, `bad_auth` for anyone but its creator, `unavailable`.
 */
export async function removeDocument(
  store: DocumentStore,
  id: string,
  { viewer, now }: { viewer: Viewer; now: number },
): Promise<void> {
  const document = await requireDocument(store, id, now)
  if (!isCreator(document, viewer)) throw notTheCreator()
  await deleteDocument(store.db, document)
  store.defer(() => deleteContent(store, [document.contentKey]))
  if (document.gistUrl !== null) store.scheduleGistSync(id)
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
  creator: Viewer,
): Promise<void> {
  const contentKeys = await deleteDocuments(store.db, ids, creator)
  if (contentKeys.length > 0) store.defer(() => deleteContent(store, contentKeys))
}
