import { mayNotLeave } from '../errors.ts'
import type { DocumentStore } from './document-store.ts'
import type { Viewer } from './model/document.ts'
import { generateVersion } from './model/ids.ts'
import { requireDocument } from './read.ts'

/**
 * Takes whoever asks off the list of a document's editors. Its version changes, so that no edit that is under
 * way puts them back; nothing was saved, so who saved last does not.
 *
 * @throws AppError `not_found`, `bad_auth` for whoever is no editor of it, `unavailable`.
 */
export async function leaveDocument(
  store: DocumentStore,
  id: string,
  { viewer, now }: { viewer: Viewer; now: number },
): Promise<void> {
  const document = await requireDocument(store, id, now)
  if (!document.editors.some((editor) => editor.id === viewer.id)) throw mayNotLeave()
  await store.db.idempotentBatch([
    [
      `UPDATE documents SET version = ?3,
          has_editors = EXISTS (SELECT 1 FROM document_editors WHERE document_id = ?1 AND user_id <> ?2)
        WHERE id = ?1 AND EXISTS (SELECT 1 FROM document_editors WHERE document_id = ?1 AND user_id = ?2)`,
      id,
      viewer.id,
      generateVersion(),
    ],
    ['DELETE FROM document_editors WHERE document_id = ?1 AND user_id = ?2', id, viewer.id],
  ])
}
