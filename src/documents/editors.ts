import { invalidBody, issueAt, mayNotChangeEditors } from '../errors.ts'
import type { DocumentStore } from './document-store.ts'
import { editDocument } from './edit.ts'
import type { EditorsChange } from './edit-plan.ts'
import { isCreator, MAX_EDITORS, type Viewer } from './model/document.ts'
import { requireDocument } from './read.ts'
import { findEditors } from './sql/documents.ts'

interface Context {
  /** The document's creator: nobody else changes its editors. */
  readonly viewer: Viewer
  readonly now: number
}

/** Whoever adds or removes one editor means no other, so it is done on whatever list is there by then. */
const changeEditors = (store: DocumentStore, id: string, editors: EditorsChange, { viewer, now }: Context) =>
  editDocument(store, id, { editors, fixedSettings: {} }, { viewer, now, checkPrecondition: () => {} })

const refused = (message: string) => invalidBody(issueAt(['username'], message))

/**
 * Adds one editor to a document's list.
 *
 * @param username in any case.
 * @throws AppError `not_found`, `bad_auth` for anyone but the creator, `bad_request` at `username` for one
 * whom no account has, who is the creator or an editor, or who would be the fifty-first; `unavailable`.
 */
export async function addEditor(
  store: DocumentStore,
  id: string,
  username: string,
  context: Context,
): Promise<void> {
  // Nobody else learns by it which usernames there are.
  if (!isCreator(await requireDocument(store, id, context.now), context.viewer)) throw mayNotChangeEditors()
  const [editor] = await findEditors(store.db, [username])
  if (!editor) throw refused('There is no account with this username')
  if (editor.id === context.viewer.id) throw refused('You made this document: you may edit it anyway')
  const add: EditorsChange = async (present) => {
    if (present.some((other) => other.id === editor.id)) {
      throw refused(`${editor.username} is an editor already`)
    }
    if (present.length >= MAX_EDITORS) throw refused(`A document has at most ${MAX_EDITORS} editors`)
    return [...present, editor]
  }
  await changeEditors(store, id, add, context)
}

/**
 * Takes one editor off a document's list. One who is not on it is no error.
 *
 * @throws AppError `not_found`, `bad_auth` for anyone but the creator, `unavailable`.
 */
export async function removeEditor(
  store: DocumentStore,
  id: string,
  editor: Viewer,
  context: Context,
): Promise<void> {
  const remove: EditorsChange = async (present) =>
    present.some((other) => other.id === editor.id)
      ? present.filter((other) => other.id !== editor.id)
      : present
  await changeEditors(store, id, remove, context)
}
