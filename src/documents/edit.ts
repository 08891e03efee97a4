import {
  documentNotFound,
  invalidBody,
  issueAt,
  mayNotChangeEditors,
  mayNotEdit,
  unavailable,
} from '../errors.ts'
import { certainlyFailed } from '../platform/database.ts'
import { contentUntil } from './content/content-store.ts'
import type { DocumentStore } from './document-store.ts'
import { type Edit, needsPresentContent, planContent, planDocument } from './edit-plan.ts'
import { encodeText } from './model/content.ts'
import { type Document, isCreator, mayEdit, type Viewer } from './model/document.ts'
import { pauseBefore, requireDocument } from './read.ts'
import { updateDocument } from './sql/documents.ts'

interface Context {
  readonly viewer: Viewer
  readonly now: number
  /** Throws when the edit was made for another version than this. */
  readonly checkPrecondition: (document: Document) => void
}

interface EditedDocument {
  readonly document: Document
  /** The text that was sent, or what is stored: of an encrypted document the envelope. */
  readonly content: string
}

/** Each failed attempt is somebody else's success, so only a crowd ever gets here. */
const ATTEMPTS = 100

/**
 * Changes a document as a whole or not at all. When somebody else's edit comes in between, it is
 * tried again on theirs, unless `checkPrecondition` objects.
 *
 * @throws AppError `not_found`, `bad_auth`, what `checkPrecondition` throws, `bad_request` and
 * `unavailable`, in this order.
 */
export async function editDocument(
  store: DocumentStore,
  id: string,
  edit: Edit,
  { viewer, now, checkPrecondition }: Context,
): Promise<EditedDocument> {
  let current = await requireDocument(store, id, now)
  let missing = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    checkPermission(current, edit, viewer)
    checkPrecondition(current)
    checkFixedSettings(current, edit)

    const present = needsPresentContent(current, edit) ? await store.contents.get(current.contentKey) : ''
    if (present === null) {
      // It was replaced by an edit, or KV needs a moment to show it.
      missing += 1
      if (!(await pauseBefore(missing)))
        throw unavailable(new Error(`the content of document ${id} is missing`))
      current = await requireDocument(store, id, now)
      continue
    }
    const content = await planContent(current, present, edit)
    const next = await planDocument(store, current, edit, content, { viewer, now })
    const shown = edit.content?.text ?? present
    if (!next) return { document: current, content: shown }

    // Content whose life in KV is shorter than the document's new one moves to a new key.
    const moves = content.changed || contentUntil(next.expiresAt) > current.contentUntil
    const placed = moves ? await placeContent(store, next, content.stored) : next
    const discard = () => {
      if (moves) store.defer(() => store.contents.delete(placed.contentKey))
    }
    const after = await updateDocument(store.db, current, placed).catch((error) => {
      // In doubt the content stays, and the sweep finds out whether a row names it.
      if (certainlyFailed(error)) discard()
      throw error
    })
    // Nobody else knows a key that was drawn for this edit: a row that names it has taken the edit,
    // even if the answer was lost and somebody changed a setting since.
    const tookPlace =
      after && (after.version === placed.version || (moves && after.contentKey === placed.contentKey))
    if (tookPlace) {
      if (after.gistUrl !== null) store.gistDue(id)
      return { document: after, content: shown }
    }

    discard()
    if (!after) throw documentNotFound()
    current = after
  }
  throw unavailable(new Error(`document ${id} is edited by too many at once`))
}

function checkPermission(document: Document, edit: Edit, viewer: Viewer): void {
  if (!mayEdit(document, viewer)) throw mayNotEdit()
  if (edit.editors && !isCreator(document, viewer)) {
    if (typeof edit.editors === 'function') throw mayNotChangeEditors()
    // The creator's own name is no editor, wherever it stands.
    const creator = document.creator?.username.toLowerCase()
    const names = (editors: readonly string[]) =>
      new Set(editors.map((name) => name.toLowerCase()).filter((name) => name !== creator))
    const present = names(document.editors.map((editor) => editor.username))
    if (names(edit.editors).symmetricDifference(present).size > 0) throw mayNotChangeEditors()
  }
}

/** A protection that was asked for is never dropped in silence; asking for nothing is no offence. */
function checkFixedSettings(
  document: Document,
  { fixedSettings, clientEncrypted, password, claimHash }: Edit,
): void {
  const asksForNothing = (value: unknown) =>
    value === undefined || value === null || value === false || value === ''
  const issues = Object.entries(fixedSettings)
    .filter(
      ([name, value]) => !asksForNothing(value) && !(name === 'encrypted' && value === document.encrypted),
    )
    .map(([name]) => issueAt(['settings', name], 'Can not be changed by an edit'))
  if (!document.encrypted) {
    const refuse = (...path: string[]) => issues.push(issueAt(path, 'The document is not encrypted'))
    if (password !== undefined) refuse('password')
    if (clientEncrypted) refuse('settings', 'client_encrypted')
    if (claimHash !== undefined) refuse('settings', 'claim_hash')
  }
  if (issues.length > 0) throw invalidBody(...issues)
}

async function placeContent(store: DocumentStore, document: Document, stored: string): Promise<Document> {
  const { id, expiresAt, updatedAt } = document
  const contentKey = await store.contents.put({
    documentId: id,
    bytes: encodeText(stored),
    expiresAt,
    now: updatedAt,
  })
  return { ...document, contentKey, contentUntil: contentUntil(expiresAt) }
}
