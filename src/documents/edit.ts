import {
  type AppError,
  anonymousDocument,
  creatorOnly,
  documentNotFound,
  editNotAllowed,
  editorsChangeNotAllowed,
  invalidBody,
  invalidPassword,
  issueAt,
  nameOfCreator,
  proofRequired,
  revisionsOfCreator,
  unavailable,
} from '../errors.ts'
import { hadNoEffect } from '../platform/database.ts'
import { encodeText } from '../shared/encodings.ts'
import type { Instant } from '../shared/instant.ts'
import { provesPassword } from '../shared/jwe.ts'
import { MAX_EDITORS } from '../shared/settings.ts'
import { getContentExpiry, getExtendedContentExpiry } from './content-store.ts'
import {
  type Account,
  type Document,
  type DocumentWrite,
  hasEditors,
  isCreator,
  mayEdit,
  type NamedAccount,
  type Viewer,
} from './document.ts'
import type { DocumentStore } from './document-store.ts'
import { type ContentPlan, type Edit, planContent, planDocument } from './edit-plan.ts'
import {
  pauseBeforeRetry,
  requireDocument,
  retryWhileStale,
  StaleDocumentError,
  StoredContent,
} from './read.ts'
import { outlastRowMemory } from './recent-documents.ts'
import { storeUnlessRefused } from './refusals.ts'
import { toTurn } from './turns.ts'
import { checksAheadOfUpdate, updateDocument } from './write.ts'

/**
 * Counts no view and deletes nothing.
 *
 * @throws AppError `not_found`, `bad_auth` unless the viewer may edit it, `bad_request` without the right password.
 */
export const readToEdit = (
  store: DocumentStore,
  found: Document,
  { viewer, password, now }: { viewer: Viewer; password: string | undefined; now: Instant },
): Promise<{ readonly document: Document; readonly text: string }> =>
  retryWhileStale(store, found, now, async (document) => {
    if (!mayEdit(document, viewer)) throw editNotAllowed()
    return { document, text: await new StoredContent(store.contents, document).readText(password) }
  })

/** Returns the text, or the JWE of an encrypted document. @throws AppError like `readToEdit`. */
export const readStoredContent = (
  store: DocumentStore,
  found: Document,
  { viewer, now }: { viewer: Viewer; now: Instant },
): Promise<{ readonly document: Document; readonly stored: string }> =>
  retryWhileStale(store, found, now, async (document) => {
    if (!mayEdit(document, viewer)) throw editNotAllowed()
    return { document, stored: await new StoredContent(store.contents, document).read() }
  })

/**
 * Makes the edit for a version. It's called for each version that the edit is tried on, so concurrent changes of
 * different settings all take effect.
 */
type MakeEdit = (document: Document, content: StoredContent) => Edit | Promise<Edit>

export interface EditContext {
  readonly viewer: Viewer
  readonly now: Instant
  /** Throws if the edit was meant for another version than this. */
  readonly checkPrecondition: (document: Document) => void
  /** Is called before other editors are stored. */
  readonly limitEditors?: () => Promise<void>
  readonly refuse?: () => AppError
}

export interface EditedDocument {
  readonly document: Document
  /** The submitted content, or else the stored content: for an encrypted document, its JWE. */
  readonly content: string
}

/** Each failed attempt is another edit that succeeded, so only a crowd ever gets here. */
const MAX_ATTEMPTS = 100

/**
 * Changes a document completely or not at all. When another edit comes in between, the edit is tried again on the new
 * version, unless `checkPrecondition` objects. It takes one batch if nothing comes in between.
 *
 * @throws AppError `bad_auth`, what `checkPrecondition` and `edit` throw, `bad_request` and `unavailable`, in this order.
 */
export async function editDocument(
  store: DocumentStore,
  found: Document,
  edit: Edit | MakeEdit,
  context: EditContext,
): Promise<EditedDocument> {
  const name = typeof edit === 'object' ? edit.name : undefined
  const keys = [
    toTurn.document(found.id),
    ...(name && found.creator ? [toTurn.name(found.creator, name)] : []),
  ]
  // Who may not edit it doesn't wait, nor lets others wait.
  if (!mayEdit(found, context.viewer)) throw (context.refuse ?? editNotAllowed)()
  const edited = await store.turns.take(keys, async (hasWaited) => {
    const current = hasWaited ? await requireDocument(store, found.id, context.now) : found
    return await retryEdit(store, current, edit, context)
  })
  if (edited.document.burnAfterReading && !found.burnAfterReading) await outlastRowMemory()
  return edited
}

async function retryEdit(
  store: DocumentStore,
  found: Document,
  edit: Edit | MakeEdit,
  context: EditContext,
): Promise<EditedDocument> {
  const { id } = found
  const uploads = new UploadedContent(store)
  let current = found
  let staleReads = 0
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        const { edited, document } = await tryEdit(store, current, { edit, uploads }, context)
        if (edited) return edited
        current = document
      } catch (error) {
        if (!(error instanceof StaleDocumentError)) throw error
        staleReads += 1
        if (!(await pauseBeforeRetry(staleReads))) throw unavailable(error)
        current = await requireDocument(store, id, context.now)
      }
    }
  } finally {
    uploads.discard()
    store.forget(id)
  }
  throw unavailable(new Error(`too many edits of document ${id} at once`))
}

type Attempt =
  | { readonly edited: EditedDocument; readonly document?: never }
  /** Another edit came first, and this is the document as it is now. */
  | { readonly edited: null; readonly document: Document }

async function tryEdit(
  store: DocumentStore,
  current: Document,
  { edit: editOrMakeEdit, uploads }: { edit: Edit | MakeEdit; uploads: UploadedContent },
  { viewer, now, checkPrecondition, limitEditors, refuse = editNotAllowed }: EditContext,
): Promise<Attempt> {
  if (!mayEdit(current, viewer)) throw refuse()
  const currentContent = new StoredContent(store.contents, current)
  let edit: Edit
  if (typeof editOrMakeEdit === 'function') {
    // It can only be made for a version that meets the precondition.
    checkPrecondition(current)
    edit = await editOrMakeEdit(current, currentContent)
    checkPermissions(current, edit, viewer)
  } else {
    edit = editOrMakeEdit
    checkPermissions(current, edit, viewer)
    checkPrecondition(current)
  }
  checkFixedSettings(current, edit)
  await checkProof(current, edit, viewer)

  const content = await planContent(current, currentContent, edit)
  const planned = await planDocument(store, current, edit, content, { viewer, now })
  const shown = edit.content?.text ?? content.stored
  if (!planned) return { edited: { document: current, content: shown } }
  if (!hasEditors(current, planned.editorIds)) await limitEditors?.()

  const save = async (write: DocumentWrite): Promise<Attempt> => {
    let isRepeated = false
    const after = await updateDocument(store.db, current, write, {
      quotas: store.quotas,
      restores: edit.restores,
      onRepeat: () => {
        isRepeated = true
      },
    }).catch((error) => {
      // If the outcome is unknown the content stays: cleanup deletes it unless a row refers to it.
      if (!hadNoEffect(error)) uploads.keep()
      throw error
    })
    // The edit may have taken effect, and another may have replaced it since: then its content is a revision.
    if (isRepeated) uploads.keep()
    if (!after) throw documentNotFound()
    // Nobody else knows a key that was generated for this edit. A row that refers to it has taken the edit, even if
    // the response was lost and somebody has changed a setting since.
    const movedHere = write.contentKey !== current.contentKey && after.contentKey === write.contentKey
    if (after.version !== write.version && !movedHere) return { edited: null, document: after }
    uploads.keep()
    if (after.gistUrl !== null) store.scheduleGistSync(after.id)
    return { edited: { document: after, content: shown } }
  }
  if (!needsStoring(current, planned, content)) return save(planned)
  const ahead = (writes: number) => checksAheadOfUpdate(store.quotas, current, planned, writes)
  return storeUnlessRefused(store, { writerId: viewer.id, ahead, now }, async () =>
    save(await uploads.storeFor(planned, content)),
  )
}

/** Content that KV would delete before the document's new expiry is stored again, too. */
const needsStoring = (
  { contentExpiresAt }: Document,
  { expiresAt }: DocumentWrite,
  { changed }: ContentPlan,
): boolean => changed || getContentExpiry(expiresAt) > contentExpiresAt

/**
 * The content that an edit has stored. An attempt that comes too late leaves it to the next one, instead of storing it
 * again.
 */
class UploadedContent {
  readonly #store: DocumentStore
  #unused: (Pick<DocumentWrite, 'contentKey' | 'contentExpiresAt'> & { readonly text: string }) | null = null

  constructor(store: DocumentStore) {
    this.#store = store
  }

  async storeFor(write: DocumentWrite, content: ContentPlan): Promise<DocumentWrite> {
    const { id, expiresAt, updatedAt: now } = write
    const needed = getContentExpiry(expiresAt)
    const text = content.stored
    if (this.#unused === null || this.#unused.text !== text || this.#unused.contentExpiresAt < needed) {
      this.discard()
      const contentExpiresAt = content.changed ? needed : getExtendedContentExpiry(expiresAt, now)
      const contentKey = await this.#store.contents.put({
        documentId: id,
        bytes: encodeText(text),
        keepText: !write.burnAfterReading,
        contentExpiresAt,
        now,
      })
      this.#unused = { contentKey, contentExpiresAt, text }
    }
    const { contentKey, contentExpiresAt } = this.#unused
    return { ...write, contentKey, contentExpiresAt }
  }

  /** A row refers to it, or may. */
  keep(): void {
    this.#unused = null
  }

  discard(): void {
    if (this.#unused === null) return
    const { contentKey } = this.#unused
    this.#unused = null
    this.#store.defer(() => this.#store.contents.delete(contentKey))
  }
}

function checkPermissions(document: Document, edit: Edit, viewer: Viewer): void {
  if (!isCreator(document, viewer)) checkEditor(document, edit)
  if (
    editNeedsProof(document, edit, viewer) &&
    (document.proofHash === null || edit.claimToken === undefined)
  ) {
    throw proofRequired()
  }
  if (document.creator !== null) return
  // Public documents need an author who is responsible for them, and only accounts have editors.
  if (edit.public && !document.public) throw anonymousDocument('public')
  if (edit.name) throw anonymousDocument('name')
  if (edit.editors?.length || edit.editorIds?.length) throw anonymousDocument('editors')
}

/** Sending the current ones, in any order, changes nothing. */
function changesEditors(document: Document, usernames: readonly string[]): boolean {
  // The creator is never an editor, so their username may be in either list.
  const creator = document.creator?.username.toLowerCase()
  const toNames = (names: readonly string[]) =>
    new Set(names.map((name) => name.toLowerCase()).filter((name) => name !== creator))
  const currentNames = toNames(document.editors.map((editor) => editor.username))
  return toNames(usernames).symmetricDifference(currentNames).size > 0
}

/** An editor may not make the document burn or expire earlier, which would delete it. */
function checkEditor(document: Document, edit: Edit): void {
  const { burnAfterReading, editorIds, editors, expiresAt, keepRevisions, name } = edit
  if (editorIds || (editors && changesEditors(document, editors))) throw editorsChangeNotAllowed()
  const expiresEarlier = expiresAt !== undefined && expiresAt < document.expiresAt
  const startsToBurn = burnAfterReading === true && !document.burnAfterReading
  if (expiresEarlier || startsToBurn) throw creatorOnly()
  if (name !== undefined && name !== (document.name ?? '')) throw nameOfCreator()
  // Turning revisions off deletes them.
  if (keepRevisions !== undefined && keepRevisions !== document.keepRevisions) throw revisionsOfCreator()
}

/**
 * Tells whether an edit needs the password. Otherwise an editor could replace encrypted content that they can't read.
 * `planContent` checks the password.
 */
function editNeedsProof(
  document: Document,
  { content, password, claimHash, passwordProven }: Edit,
  viewer: Viewer,
): boolean {
  if (!document.encrypted || isCreator(document, viewer) || passwordProven) return false
  const replacesHash = claimHash !== undefined && claimHash !== document.proofHash && password === undefined
  return content?.kind === 'jwe' || replacesHash
}

async function checkProof(document: Document, edit: Edit, viewer: Viewer): Promise<void> {
  if (!editNeedsProof(document, edit, viewer)) return
  if (!(await provesPassword(edit.claimToken ?? '', document.proofHash))) throw invalidPassword()
}

/** Protection that someone asks for is never dropped silently. */
function checkFixedSettings(
  document: Document,
  { fixedSettings, clientEncrypted, password, claimHash, claimToken }: Edit,
): void {
  const isEmpty = (value: unknown) => value === undefined || value === null || value === false || value === ''
  const issues = Object.entries(fixedSettings)
    .filter(([name, value]) => !isEmpty(value) && !(name === 'encrypted' && value === document.encrypted))
    .map(([name]) => issueAt(['settings', name], "Can't be changed by an edit: create another document"))
  if (!document.encrypted) {
    const refuse = (...path: string[]) => issues.push(issueAt(path, "The document isn't encrypted"))
    if (password !== undefined) refuse('password')
    if (clientEncrypted) refuse('settings', 'client_encrypted')
    if (claimToken !== undefined) refuse('claim_token')
    if (claimHash !== undefined) refuse('settings', 'claim_hash')
  }
  if (issues.length > 0) throw invalidBody(...issues)
}

interface EditorsContext extends Pick<EditContext, 'now' | 'limitEditors'> {
  readonly viewer: Account
}

/** Adding or removing one editor applies to the list as it is by then, so concurrent changes all take effect. */
const changeEditors = (
  store: DocumentStore,
  found: Document,
  changeIds: (document: Document) => readonly string[],
  context: EditorsContext,
) =>
  editDocument(store, found, (document) => ({ editorIds: changeIds(document), fixedSettings: {} }), {
    ...context,
    checkPrecondition: () => {},
  })

const getEditorIds = (document: Document): string[] => document.editors.map((editor) => editor.id)

const invalidUsername = (message: string) => invalidBody(issueAt(['username'], message))

/** @throws AppError `bad_auth` for anyone but the creator, `bad_request` at `username`, `unavailable`. */
export async function addEditor(
  store: DocumentStore,
  found: Document,
  editor: NamedAccount | undefined,
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
 * Removes an editor. Removing someone who isn't an editor isn't an error.
 *
 * @throws AppError `bad_auth` for anyone but the creator.
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
