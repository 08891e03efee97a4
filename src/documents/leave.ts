import { notAnEditor } from '../errors.ts'
import type { DocumentStore } from './document-store.ts'
import type { Account } from './model/document.ts'
import { generateVersion } from './model/ids.ts'
import { requireDocument } from './read.ts'
import { removeEditorFromDocument } from './sql/editor-statements.ts'

/**
 * Removes the viewer from a document's editors. It isn't an edit: nobody becomes the last to have edited it.
 *
 * @throws AppError `not_found`, `bad_auth` unless the viewer is an editor of it, `unavailable`.
 */
export async function leaveDocument(
  store: DocumentStore,
  id: string,
  { viewer, now }: { viewer: Account; now: number },
): Promise<void> {
  const document = await requireDocument(store, id, now)
  if (!document.editors.some((editor) => editor.id === viewer.id)) throw notAnEditor()
  await removeEditorFromDocument(store.db, {
    documentId: id,
    editorId: viewer.id,
    version: generateVersion(),
  })
}
