import { generatedPasswordNotRepeatable, idempotencyKeyReused, repeatedDocumentGone } from '../../errors.ts'
import { StoredContent } from '../content/stored-content.ts'
import type { DocumentStore } from '../document-store.ts'
import {
  type IdempotencyKey,
  type IdempotentRequest,
  openIdempotencyKey,
} from '../encryption/idempotency-key.ts'
import { encodeText, type IncomingContent } from '../model/content.ts'
import { type Account, type Document, isCreator } from '../model/document.ts'
import { hashDocumentToken } from '../model/document-token.ts'
import { retryWhileStale } from '../read.ts'
import { type FirstCreate, findFirstCreate, type KeyedCreate } from '../sql/idempotency-keys.ts'

/** How long repeats get the document of the first create. */
const KEY_LIFETIME_MS = 24 * 60 * 60_000

/** What a repeat gets: the document as it is now. */
interface RepeatedDocument {
  readonly document: Document
  /** The content that was sent, or else what an edit stored since: for an encrypted document, its JWE. */
  readonly content: string
  /** The document token; null for a document of an account. */
  readonly token: string | null
}

/** A create with an `Idempotency-Key`. */
interface KeyedRequest {
  /** Returns what to store together with the document. */
  readonly toWrite: (token: string | null) => Promise<KeyedCreate>
  /** Returns the document of the create that used the key before; null if none has. */
  readonly findRepeated: () => Promise<RepeatedDocument | null>
  /** Returns the document of the create that used the key at the same time, and was first. */
  readonly repeat: (first: FirstCreate) => Promise<RepeatedDocument>
}

interface KeyedInput {
  readonly content: IncomingContent
  /** Whether the service encrypts the text; `password: null` asks for a generated one. */
  readonly encryption: { readonly password: string | null } | null
}

interface KeyedContext {
  readonly creator: Account | null
  readonly now: number
}

/**
 * Opens a create with an `Idempotency-Key`.
 *
 * @throws AppError `bad_request` if the service would generate a password, which a repeat couldn't return.
 */
export async function openKeyedCreate(
  store: DocumentStore,
  { content, encryption }: KeyedInput,
  request: IdempotentRequest,
  { creator, now }: KeyedContext,
): Promise<KeyedRequest> {
  if (encryption?.password === null) throw generatedPasswordNotRepeatable()
  const key = await openIdempotencyKey(request)
  const bytes = content.kind === 'text' ? content.bytes : encodeText(content.text)
  const requestHash = await key.hashRequest(bytes, request.settings)

  const repeat = async (first: FirstCreate): Promise<RepeatedDocument> => {
    if (first.requestHash !== requestHash) throw idempotencyKeyReused()
    const { document, token } = await findDocumentOf(first, key, creator)
    const current = () =>
      retryWhileStale(store, document, now, (latest) => new StoredContent(store.contents, latest).read())
    const text = document.contentKey === first.contentKey ? content.text : await current()
    return { document, content: text, token }
  }
  return {
    toWrite: async (token) => ({
      keyHash: key.hash,
      requestHash,
      encryptedToken: token && (await key.encryptToken(token)),
      expiresAt: now + KEY_LIFETIME_MS,
    }),
    findRepeated: async () => {
      const first = await findFirstCreate(store.db, key.hash, now)
      return first && repeat(first)
    },
    repeat,
  }
}

/** Returns the document of a create and its token. Throws if it's gone, or if an account has taken it over. */
async function findDocumentOf(
  { document, encryptedToken }: FirstCreate,
  key: IdempotencyKey,
  creator: Account | null,
): Promise<{ document: Document; token: string | null }> {
  const token = encryptedToken && (await key.decryptToken(encryptedToken))
  const viewer = { id: creator?.id ?? null, tokenHash: token && (await hashDocumentToken(token)) }
  if (!document || !isCreator(document, viewer)) throw repeatedDocumentGone()
  return { document, token }
}
