import { encryptedContentNotEditable, invalidBody, invalidPassword, issueAt } from '../errors.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  decryptJwe,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  parseJwe,
} from '../shared/jwe.ts'
import { resolveLanguage } from '../shared/languages.ts'
import { createClaim, requireEditors } from './create.ts'
import type { DocumentStore } from './document-store.ts'
import { decodeText, type IncomingContent } from './model/content.ts'
import { type Document, type Editor, isCreator, type Viewer } from './model/document.ts'
import { generateVersion, looksGenerated } from './model/ids.ts'
import { deriveTitle } from './model/title.ts'

/** Asked again for every version that the edit is tried on, so that two changes at once both take place. */
export type EditorsChange = (present: readonly Editor[]) => Promise<readonly Editor[]>

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
  readonly burnAfterReading?: boolean | undefined
  readonly public?: boolean | undefined
  /** Usernames, as sent; or what becomes of the present list, the very list where nothing does. */
  readonly editors?: readonly string[] | EditorsChange | undefined
  readonly clientEncrypted?: boolean | undefined
  /** Proves the password of the envelope that will stand, where that is read once. */
  readonly claimHash?: string | undefined
  /** Settings that no edit can change, as sent, by their names on the wire. */
  readonly fixedSettings: Readonly<Record<string, unknown>>
}

/** Whether what is stored now must be fetched, to be returned, compared, moved or checked against a password. */
export function needsPresentContent(document: Document, { content }: Edit): boolean {
  if (content === undefined) return true
  if (document.encrypted) return content.kind === 'text'
  // A text of another length can not be the same text.
  return content.kind === 'text' && content.bytes.byteLength === document.contentBytes
}

interface ContentPlan {
  /** What KV holds after the edit: the text or the envelope. */
  readonly stored: string
  readonly contentBytes: number
  readonly changed: boolean
  /** The text after the edit, where this service knows it. */
  readonly text: string | null
}

/**
 * The content after the edit.
 *
 * @param present what is stored now, where `needsPresentContent` says so.
 * @throws AppError `bad_request` for a wrong password, or an encrypted document without one.
 */
export async function planContent(
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
  const stored = await encryptJwe(bytes, password, iterationsFor(present, password))
  return { stored, contentBytes: bytes.byteLength, changed: true, text }
}

async function openPresent(envelope: string, password: string): Promise<Uint8Array> {
  const bytes = await decryptJwe(envelope, password)
  if (bytes === null) throw invalidPassword()
  return bytes
}

/** A generated password stays as cheap as it was; any other gets all the stretching there is. */
function iterationsFor(present: string, password: string): number {
  const { iterations } = parseJwe(present).header
  return iterations === GENERATED_PASSWORD_ITERATIONS && looksGenerated(password)
    ? GENERATED_PASSWORD_ITERATIONS
    : CHOSEN_PASSWORD_ITERATIONS
}

/**
 * The document after the edit, with its present content key; null when the edit changes nothing.
 *
 * @throws AppError `bad_request` at the editor who does not exist, or for a claim hash that is missing.
 */
export async function planDocument(
  store: DocumentStore,
  document: Document,
  edit: Edit,
  content: ContentPlan,
  { viewer, now }: { viewer: Viewer; now: number },
): Promise<Document | null> {
  const settings = {
    language: await planLanguage(document, edit, content),
    expiresAt: edit.expiresAt ?? document.expiresAt,
    imageEmbed: edit.imageEmbed ?? document.imageEmbed,
    burnAfterReading: edit.burnAfterReading ?? document.burnAfterReading,
    public: edit.public ?? document.public,
    editors: await planEditors(store, document, edit, viewer),
  }
  const next = {
    ...document,
    ...settings,
    contentBytes: content.contentBytes,
    ...(content.changed && {
      title: document.encrypted || content.text === null ? null : deriveTitle(content.text),
    }),
  }
  const claim = await planClaim(next, edit, content)
  const names = Object.keys(settings) as (keyof typeof settings)[]
  const changed =
    content.changed ||
    claim?.hash !== document.claim?.hash ||
    names.some((name) => settings[name] !== document[name])
  const savedBy = { id: viewer.id, username: '' }
  return changed
    ? { ...next, claim, lastEditedBy: savedBy, version: generateVersion(), updatedAt: now }
    : null
}

async function planLanguage(document: Document, { language }: Edit, { text }: ContentPlan): Promise<string> {
  if (language === undefined) return document.language
  // What can not be looked at keeps the language it has.
  return language === 'auto' && text === null ? document.language : resolveLanguage(language, text)
}

/** The very list of the document where nothing changes, so that it is easily told. */
async function planEditors(
  store: DocumentStore,
  document: Document,
  { editors: asked }: Edit,
  viewer: Viewer,
): Promise<readonly Editor[]> {
  if (!asked || !isCreator(document, viewer)) return document.editors
  if (typeof asked === 'function') return asked(document.editors)
  const editors = await requireEditors(store, asked, viewer)
  const ids = (list: readonly Editor[]) => list.map((editor) => editor.id).join()
  return ids(editors) === ids(document.editors) ? document.editors : editors
}

async function planClaim(
  next: Document,
  { password, claimHash }: Edit,
  { stored, changed }: ContentPlan,
): Promise<Document['claim']> {
  if (!next.encrypted || !next.burnAfterReading) return null
  if (next.claim && !changed && claimHash === undefined) return next.claim
  if (password !== undefined) return createClaim(stored, password)
  if (claimHash !== undefined) return { header: parseJwe(stored).header.encoded, hash: claimHash }
  throw invalidBody(
    issueAt(
      ['settings', 'claim_hash'],
      'An encrypted document with instant_delete needs it, or the password',
    ),
  )
}
