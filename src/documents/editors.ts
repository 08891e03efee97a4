import { editorsChangeNotAllowed, invalidBody, issueAt } from '../errors.ts'
import { MAX_EDITORS } from '../shared/settings.ts'
import type { DocumentStore } from './document-store.ts'
import { editDocument } from './edit/edit.ts'
import { type Account, type Document, type Editor, isCreator } from './model/document.ts'

interface EditorsContext {
  /** The document's creator: only they can change its editors. */
  readonly viewer: Account
  readonly now: number
}

/** Adding or removing one editor applies to the list as it is by then, so concurrent changes all take effect. */
const changeEditors = (
  store: DocumentStore,
  found: Document,
  changeIds: (document: Document) => readonly string[],
  { viewer, now }: EditorsContext,
) =>
  editDocument(store, found, (document) => ({ editorIds: changeIds(document), fixedSettings: {} }), {
    viewer,
    now,
    checkPrecondition: () => {},
  })

const getEditorIds = (document: Document): string[] => document.editors.map((editor) => editor.id)

const invalidUsername = (message: string) => invalidBody(issueAt(['username'], message))

/**
 * Adds one editor to a document.
 *
 * @param editor absent if no account has the username.
 * @throws AppError `not_found`, `bad_auth` for anyone but the creator, `bad_request` at `username` if there is no
 * such account, for the creator, for someone who is already an editor, or if the document has `MAX_EDITORS`;
 * `unavailable`.
 */
export async function addEditor(
  store: DocumentStore,
  found: Document,
  editor: Editor | undefined,
  context: EditorsContext,
): Promise<void> {
  // Anyone else could use it to find out which usernames exist.
  if (!isCreator(found, context.viewer)) throw editorsChangeNotAllowed()
  if (!editor) throw invalidUsername('No account has this username')
  if (editor.id === context.viewer.id)
    throw invalidUsername('You created this document, so you can already edit it')
  const addId = (document: Document) => {
    const editorIds = getEditorIds(document)
    if (editorIds.includes(editor.id)) throw invalidUsername(`${editor.username} is already an editor`)
    if (editorIds.length >= MAX_EDITORS) {
      throw invalidUsername(`A document can have at most ${MAX_EDITORS} editors`)
    }
    return [...editorIds, editor.id]
  }
  await changeEditors(store, found, addId, context)
}

/**
 * Removes one editor from a document. Removing someone who isn't an editor isn't an error.
 *
 * @throws AppError `not_found`, `bad_auth` for anyone but the creator, `unavailable`.
 */
export async function removeEditor(
  store: DocumentStore,
  found: Document,
  editor: Account,
  context: EditorsContext,
): Promise<void> {
  const removeId = (document: Document) => getEditorIds(document).filter((id) => id !== editor.id)
  await changeEditors(store, found, removeId, context)
}
