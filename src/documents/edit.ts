import {
  documentNotFound,
  encryptedContentNotEditable,
  invalidBody,
  invalidPassword,
  issueAt,
  mayNotChangeEditors,
  mayNotEdit,
  unavailable,
} from '../errors.ts'
import { certainlyFailed } from '../storage.ts'
import { contentUntil } from './contents.ts'
import { claimOf, requireEditors } from './create.ts'
import { type Document, type Editor, isCreator, mayEdit, type Viewer } from './document.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  GENERATED_PASSWORD_ITERATIONS,
  openEnvelope,
  parseEnvelope,
  sealEnvelope,
} from './encryption.ts'
import { drawVersion, looksGenerated } from './ids.ts'
import { languageOf } from './language.ts'
import { requireDocument } from './read.ts'
import { updateDocument } from './rows.ts'
import type { DocumentStore } from './store.ts'
import { decodeText, encodeText, type IncomingContent } from './text.ts'

/** What an edit asks for; what is undefined stays as it is. */
export interface Edit {
  readonly content?: IncomingContent | undefined
  /** Of an encrypted document: the password of its present content, and of the new one. */
  readonly password?: string | undefined
  /** In lower case; `auto` is detected. */
  readonly language?: string | undefined
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined
  readonly imageEmbed?: boolean | undefined
  readonly instantDelete?: boolean | undefined
  readonly public?: boolean | undefined
  /** Usernames, as sent. */
  readonly editors?: readonly string[] | undefined
  readonly clientEncrypted?: boolean | undefined
  /** Proves the password of the envelope that will stand, where that is read once. */
  readonly claimHash?: string | undefined
  /** Settings that no edit can change, as sent, by their names on the wire. */
  readonly fixedSettings: Readonly<Record<string, unknown>>
}

interface Context {
  readonly viewer: Viewer
  readonly now: number
  /** Throws when the edit was made for another version than this. */
  readonly checkPrecondition: (document: Document) => void
}

export interface EditedDocument {
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
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    checkPermission(current, edit, viewer)
    checkPrecondition(current)
    checkFixedSettings(current, edit)

    const present = needsPresentContent(current, edit) ? await store.contents.get(current.contentKey) : ''
    if (present === null) {
      current = await requireNewerVersion(store, current, now)
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
    if (tookPlace) return { document: after, content: shown }

    discard()
    if (!after) throw documentNotFound()
    current = after
  }
  throw unavailable(new Error(`document ${id} is edited by too many at once`))
}

function checkPermission(document: Document, edit: Edit, viewer: Viewer): void {
  if (!mayEdit(document, viewer)) throw mayNotEdit()
  if (edit.editors && !isCreator(document, viewer)) {
    const names = (editors: readonly string[]) => new Set(editors.map((name) => name.toLowerCase()))
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

/** Whether what is stored now must be fetched, to be returned, compared, moved or checked against a password. */
function needsPresentContent(document: Document, { content }: Edit): boolean {
  if (content === undefined) return true
  if (document.encrypted) return content.kind === 'text'
  // A text of another length can not be the same text.
  return content.kind === 'text' && content.bytes.byteLength === document.contentBytes
}

/** Content that a row named and KV did not have was replaced by an edit; if it was not, it is missing. */
async function requireNewerVersion(store: DocumentStore, stale: Document, now: number): Promise<Document> {
  const document = await requireDocument(store, stale.id, now)
  if (document.contentKey !== stale.contentKey) return document
  throw unavailable(new Error(`the content of document ${stale.id} is missing`))
}

interface ContentPlan {
  /** What KV holds after the edit: the text or the envelope. */
  readonly stored: string
  readonly contentBytes: number
  readonly changed: boolean
  /** The text after the edit, where this service knows it. */
  readonly text: string | null
}

async function planContent(
  document: Document,
  present: string,
  { content, password }: Edit,
): Promise<ContentPlan> {
  const { contentBytes, encrypted } = document
  const unchanged = { stored: present, contentBytes, changed: false }
  if (!content) {
    if (password !== undefined) await openPresent(present, password)
    return { ...unchanged, text: encrypted ? null : present }
  }
  if (content.kind === 'envelope') {
    return { stored: content.text, contentBytes: content.contentBytes, changed: true, text: null }
  }
  const { text, bytes } = content
  if (!encrypted) {
    return { stored: text, contentBytes: bytes.byteLength, changed: text !== present, text }
  }
  if (password === undefined) {
    throw encryptedContentNotEditable(
      issueAt(['password'], 'Send the password, or a JWE with settings.client_encrypted'),
    )
  }
  if (decodeText(await openPresent(present, password)) === text) return { ...unchanged, text }
  const stored = await sealEnvelope(bytes, password, iterationsFor(present, password))
  return { stored, contentBytes: bytes.byteLength, changed: true, text }
}

async function openPresent(envelope: string, password: string): Promise<Uint8Array> {
  const bytes = await openEnvelope(envelope, password)
  if (bytes === null) throw invalidPassword()
  return bytes
}

/** A generated password stays as cheap as it was; any other gets all the stretching there is. */
function iterationsFor(present: string, password: string): number {
  const { iterations } = parseEnvelope(present).header
  return iterations === GENERATED_PASSWORD_ITERATIONS && looksGenerated(password)
    ? GENERATED_PASSWORD_ITERATIONS
    : CHOSEN_PASSWORD_ITERATIONS
}

/** The document after the edit, with its present content key; null when the edit changes nothing. */
async function planDocument(
  store: DocumentStore,
  document: Document,
  edit: Edit,
  content: ContentPlan,
  { viewer, now }: Pick<Context, 'viewer' | 'now'>,
): Promise<Document | null> {
  const settings = {
    language: await planLanguage(document, edit, content),
    expiresAt: edit.expiresAt ?? document.expiresAt,
    imageEmbed: edit.imageEmbed ?? document.imageEmbed,
    instantDelete: edit.instantDelete ?? document.instantDelete,
    public: edit.public ?? document.public,
    editors: await planEditors(store, document, edit, viewer),
  }
  const next = { ...document, ...settings, contentBytes: content.contentBytes }
  const claim = await planClaim(next, edit, content)
  const names = Object.keys(settings) as (keyof typeof settings)[]
  const changed =
    content.changed ||
    claim?.hash !== document.claim?.hash ||
    names.some((name) => settings[name] !== document[name])
  return changed ? { ...next, claim, version: drawVersion(), updatedAt: now } : null
}

async function planLanguage(document: Document, { language }: Edit, { text }: ContentPlan): Promise<string> {
  if (language === undefined) return document.language
  // What can not be looked at keeps the language it has.
  return language === 'auto' && text === null ? document.language : languageOf(language, text)
}

/** The very list of the document where nothing changes, so that it is easily told. */
async function planEditors(
  store: DocumentStore,
  document: Document,
  { editors: usernames }: Edit,
  viewer: Viewer,
): Promise<readonly Editor[]> {
  if (!usernames || !isCreator(document, viewer)) return document.editors
  const editors = await requireEditors(store, usernames, viewer)
  const ids = (list: readonly Editor[]) => list.map((editor) => editor.id).join()
  return ids(editors) === ids(document.editors) ? document.editors : editors
}

async function planClaim(
  next: Document,
  { password, claimHash }: Edit,
  { stored, changed }: ContentPlan,
): Promise<Document['claim']> {
  if (!next.encrypted || !next.instantDelete) return null
  if (next.claim && !changed && claimHash === undefined) return next.claim
  if (password !== undefined) return claimOf(stored, password)
  if (claimHash !== undefined) return { header: parseEnvelope(stored).header.encoded, hash: claimHash }
  throw invalidBody(
    issueAt(
      ['settings', 'claim_hash'],
      'An encrypted document with instant_delete needs it, or the password',
    ),
  )
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
