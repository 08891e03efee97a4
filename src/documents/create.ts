import { unavailable } from '../errors.ts'
import { hadNoEffect } from '../platform/database.ts'
import { resolveLanguage } from '../shared/resolve-language.ts'
import { CHOSEN_FLAGS, type ChosenFlag, type Flags, mapFlags, SETTINGS } from '../shared/settings.ts'
import { getContentExpiry } from './content/content-store.ts'
import type { DocumentStore } from './document-store.ts'
import { encryptContent } from './encryption/encrypt-content.ts'
import type { IncomingContent } from './model/content.ts'
import type { Document, DocumentWrite, Viewer } from './model/document.ts'
import { generateId, generateVersion, type IdLength } from './model/ids.ts'
import { getDefaultExpiry } from './model/parse-expiration.ts'
import { deriveTitle } from './model/title.ts'
import { requireEditorIds } from './require-editors.ts'
import { insertDocument } from './sql/document-statements.ts'

export interface NewDocument extends Flags<ChosenFlag> {
  /** A JWE exactly where the client encrypted. */
  readonly content: IncomingContent
  /** In lower case; `auto` is detected. */
  readonly language: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly idLength: IdLength
  /** Whether the service encrypts the text; `password: null` asks for a generated one. */
  readonly encryption: { readonly password: string | null } | null
  /** Proves the password of a burn-after-reading JWE. */
  readonly claimHash: string | null
  /** Usernames, as sent. */
  readonly editors: readonly string[]
  /** Whether to schedule a gist, which is published once the document is stored. */
  readonly gist: boolean
}

/** Returns a new document with every setting at its default. */
export const plainDocument = (content: IncomingContent, now: number): NewDocument => ({
  content,
  language: SETTINGS.language.default,
  expiresAt: getDefaultExpiry(now),
  idLength: 'standard',
  ...mapFlags(CHOSEN_FLAGS, (name) => SETTINGS[name].default),
  encryption: null,
  claimHash: null,
  editors: [],
  gist: false,
})

interface CreatedDocument {
  readonly document: Document
  /** The content that was sent: the text even if the service encrypted it. */
  readonly content: string
  /** The password that the service generated. Nothing returns it again. */
  readonly password: string | null
}

interface CreateContext {
  readonly creator: Viewer | null
  readonly now: number
}

/** How many ids are tried. Even with every second id taken, only one create in a thousand needs more. */
const MAX_ID_ATTEMPTS = 10

/**
 * Stores a new document: first its content, then the row that refers to it.
 *
 * @throws AppError `bad_request` at each editor who doesn't exist, `unavailable`.
 */
export async function createDocument(
  store: DocumentStore,
  input: NewDocument,
  { creator, now }: CreateContext,
): Promise<CreatedDocument> {
  const { content, expiresAt } = input
  const encrypted = await encryptContent(input)
  const language = await resolveLanguage(input.language, content.kind === 'text' ? content.text : null)
  const editorIds = creator ? await requireEditorIds(store, input.editors, creator) : []

  for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt++) {
    const id = generateId(input.idLength)
    const contentKey = await store.contents.put({ documentId: id, bytes: encrypted.stored, expiresAt, now })
    const discardContent = () => store.defer(() => store.contents.delete(contentKey))
    const write: DocumentWrite = {
      id,
      creatorId: creator?.id ?? null,
      editorIds,
      contentKey,
      contentBytes: encrypted.contentBytes,
      contentExpiresAt: getContentExpiry(expiresAt),
      title: content.kind === 'text' && !input.encryption ? deriveTitle(content.text) : null,
      lastEditedById: null,
      language,
      ...mapFlags(CHOSEN_FLAGS, (name) => input[SETTINGS[name].property]),
      encrypted: input.encryption !== null || content.kind === 'jwe',
      claim: encrypted.claim,
      version: generateVersion(),
      createdAt: now,
      updatedAt: now,
      expiresAt,
    }
    const document = await insertDocument(store.db, write, { withGist: input.gist }).catch((error) => {
      // If the outcome is unknown the content stays: cleanup deletes it unless a row refers to it.
      if (hadNoEffect(error)) discardContent()
      throw error
    })
    if (document) return { document, content: content.text, password: encrypted.generatedPassword }
    discardContent()
  }
  throw unavailable(new Error(`no free id of length "${input.idLength}" in ${MAX_ID_ATTEMPTS} attempts`))
}
