import { type Issue, invalidBody, issueAt, unavailable } from '../errors.ts'
import { certainlyFailed } from '../platform/database.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimToken,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  hashClaimToken,
  parseJwe,
} from '../shared/jwe.ts'
import { resolveLanguage } from '../shared/languages.ts'
import { contentUntil } from './content/content-store.ts'
import type { DocumentStore } from './document-store.ts'
import { encodeText, type IncomingContent } from './model/content.ts'
import type { Document, Editor, Viewer } from './model/document.ts'
import { getDefaultExpiry } from './model/expiry.ts'
import { generateId, generatePassword, generateVersion, type IdLength } from './model/ids.ts'
import { deriveTitle } from './model/title.ts'
import { findEditors, insertDocument } from './sql/documents.ts'

export interface NewDocument {
  /** An envelope exactly where the client encrypted. */
  readonly content: IncomingContent
  /** In lower case; `auto` is detected. */
  readonly language: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly idLength: IdLength
  readonly imageEmbed: boolean
  readonly burnAfterReading: boolean
  readonly public: boolean
  /** Whether the service encrypts the text; `password: null` asks for a generated one. */
  readonly encryption: { readonly password: string | null } | null
  /** Proves the password of an envelope that is read once. */
  readonly claimHash: string | null
  /** Usernames, as sent. */
  readonly editors: readonly string[]
  /** Whether there is to be a gist, which somebody else makes once the document is stored. */
  readonly gist: boolean
}

/** A new document that asks for nothing but to be stored. */
export const plainDocument = (content: IncomingContent, now: number): NewDocument => ({
  content,
  language: 'plaintext',
  expiresAt: getDefaultExpiry(now),
  idLength: 'standard',
  imageEmbed: false,
  burnAfterReading: false,
  public: false,
  encryption: null,
  claimHash: null,
  editors: [],
  gist: false,
})

interface CreatedDocument {
  readonly document: Document
  /** What was sent: the text also where the service encrypted it. */
  readonly content: string
  /** The password that the service generated, which nothing else ever returns. */
  readonly password: string | null
}

interface Context {
  readonly creator: Viewer | null
  readonly now: number
}

/** How often a taken id is drawn again. Even with every second id taken, one in a thousand creates uses them up. */
const ID_ATTEMPTS = 10

/**
 * Stores a new document: content first, then the row that names it.
 *
 * @throws AppError `bad_request` at the editor who does not exist, `unavailable`.
 */
export async function createDocument(
  store: DocumentStore,
  input: NewDocument,
  { creator, now }: Context,
): Promise<CreatedDocument> {
  const { content, expiresAt } = input
  const sealed = await encryptContent(input)
  const language = await resolveLanguage(input.language, content.kind === 'text' ? content.text : null)
  const editors = await requireEditors(store, input.editors, creator)

  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt++) {
    const id = generateId(input.idLength)
    const contentKey = await store.contents.put({ documentId: id, bytes: sealed.stored, expiresAt, now })
    const row: Document = {
      id,
      creator: creator && { id: creator.id, username: '', flags: 0, icon: null, documentsMade: 0 },
      editors,
      contentKey,
      contentBytes: sealed.contentBytes,
      contentUntil: contentUntil(expiresAt),
      title: content.kind === 'text' && !input.encryption ? deriveTitle(content.text) : null,
      lastEditedBy: null,
      language,
      imageEmbed: input.imageEmbed,
      burnAfterReading: input.burnAfterReading,
      encrypted: input.encryption !== null || content.kind === 'envelope',
      public: input.public,
      claim: sealed.claim,
      gistUrl: null,
      views: 0,
      version: generateVersion(),
      createdAt: now,
      updatedAt: now,
      expiresAt,
    }
    const discard = () => store.defer(() => store.contents.delete(contentKey))
    const document = await insertDocument(store.db, row, { withGist: input.gist }).catch((error) => {
      // In doubt the content stays, and the sweep finds out whether a row names it.
      if (certainlyFailed(error)) discard()
      throw error
    })
    if (document) return { document, content: content.text, password: sealed.generatedPassword }
    discard()
  }
  throw unavailable(new Error(`no free id of length "${input.idLength}" in ${ID_ATTEMPTS} draws`))
}

interface EncryptedContent {
  readonly stored: Uint8Array
  readonly contentBytes: number
  readonly claim: Document['claim']
  readonly generatedPassword: string | null
}

async function encryptContent({
  content,
  encryption,
  burnAfterReading: instantDelete,
  claimHash,
}: NewDocument): Promise<EncryptedContent> {
  if (content.kind === 'envelope') {
    const claim =
      instantDelete && claimHash !== null ? { header: content.header.encoded, hash: claimHash } : null
    return {
      stored: encodeText(content.text),
      contentBytes: content.contentBytes,
      claim,
      generatedPassword: null,
    }
  }
  const { bytes } = content
  if (!encryption) {
    return { stored: bytes, contentBytes: bytes.byteLength, claim: null, generatedPassword: null }
  }
  const password = encryption.password ?? generatePassword()
  const generatedPassword = encryption.password === null ? password : null
  const iterations = generatedPassword === null ? CHOSEN_PASSWORD_ITERATIONS : GENERATED_PASSWORD_ITERATIONS
  const envelope = await encryptJwe(bytes, password, iterations)
  return {
    stored: encodeText(envelope),
    contentBytes: bytes.byteLength,
    claim: instantDelete ? await createClaim(envelope, password) : null,
    generatedPassword,
  }
}

/** What the row keeps so that the password of this envelope can be proven without it. */
export async function createClaim(
  envelope: string,
  password: string,
): Promise<NonNullable<Document['claim']>> {
  const { header } = parseJwe(envelope)
  return { header: header.encoded, hash: await hashClaimToken(await deriveClaimToken(password, header)) }
}

/**
 * The accounts of a list of usernames, in its order, without duplicates and without the creator.
 *
 * @throws AppError `bad_request` at `settings.editors[i]` for each that does not exist.
 */
export async function requireEditors(
  store: DocumentStore,
  usernames: readonly string[],
  creator: Viewer | null,
): Promise<Editor[]> {
  if (usernames.length === 0) return []
  const found = await findEditors(store.db, usernames)
  const byName = new Map(found.map((editor) => [editor.username.toLowerCase(), editor]))
  const editors = new Set<Editor>()
  const missing: Issue[] = []
  for (const [index, username] of usernames.entries()) {
    const editor = byName.get(username.toLowerCase())
    if (!editor)
      missing.push(issueAt(['settings', 'editors', index], 'There is no account with this username'))
    else if (editor.id !== creator?.id) editors.add(editor)
  }
  if (missing.length > 0) throw invalidBody(...missing)
  return [...editors]
}
