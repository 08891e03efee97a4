import { notAnEditor } from '../errors.ts'
import type { DocumentStore } from './document-store.ts'
import type { Account, Document } from './model/document.ts'
import { generateVersion } from './model/ids.ts'
import { removeEditorFromDocument } from './sql/editor-statements.ts'

/**
 * Removes the viewer from a document's editors. It isn't an edit: nobody becomes the last to have edited it.
 *
 * @throws AppError `bad_auth` unless the viewer is an editor of it, `unavailable`.
 */
export async function leaveDocument(
  store: DocumentStore,
  document: Document,
  viewer: Account,
): Promise<void> {
  if (!document.editors.some((editor) => editor.id === viewer.id)) throw notAnEditor()
  await removeEditorFromDocument(store.db, {
    documentId: document.id,
    editorId: viewer.id,
    version: generateVersion(),
  })
}
