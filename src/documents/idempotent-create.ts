import * as base64url from 'jose/base64url'
import { generatedPasswordNotRepeatable, idempotencyKeyReused, repeatedDocumentGone } from '../errors.ts'
import type { Database, Query } from '../platform/database.ts'
import { encodeText } from '../shared/encodings.ts'
import { hashSecret, sha256 } from '../shared/hashing.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import type { IncomingContent } from './content.ts'
import { type Account, DOCUMENTS, type Document, isCreator, parseDocument } from './document.ts'
import type { DocumentStore } from './document-store.ts'
import { retryWhileStale, StoredContent } from './read.ts'

/** A repeat, for example because the answer was lost, gets the document of the first create. */
export interface IdempotentRequest {
  readonly key: string
  /** The same key from somebody else is another key. */
  readonly sender: string
  /** The settings that the request asks for besides the content. A repeat must ask for the same. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Makes what is stored useless without the secret of the service; null if it has none. */
  readonly secret: string | null
}

const PART_BYTES = 32
const IV_BYTES = 12

const toJson = (settings: IdempotentRequest['settings']): string =>
  JSON.stringify(
    Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/**
 * Derives keys from the idempotency key with HKDF (RFC 5869). The database stores the hash alone, so nobody who reads
 * it can decrypt the document token or guess the settings, as long as the key is random or the service has a secret.
 */
async function openIdempotencyKey({ key, sender, secret }: IdempotentRequest) {
  const material = await crypto.subtle.importKey('raw', encodeText(key), 'HKDF', false, ['deriveBits'])
  const parameters = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: encodeText(secret ?? ''),
    info: encodeText(`regent idempotency key\0${sender}`),
  }
  const bits = await crypto.subtle.deriveBits(parameters, material, 3 * PART_BYTES * 8)
  const part = (index: number) => new Uint8Array(bits, index * PART_BYTES, PART_BYTES)
  const macKey = () =>
    crypto.subtle.importKey('raw', part(1), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const tokenKey = () => crypto.subtle.importKey('raw', part(2), 'AES-GCM', false, ['encrypt', 'decrypt'])
  return {
    hash: base64url.encode(part(0)),
    /** Reveals nothing about passwords among the settings. */
    hashRequest: async (content: Uint8Array, settings: IdempotentRequest['settings']) => {
      const contentHash = await sha256(content)
      const signed = encodeText(`${contentHash}${toJson(settings)}`)
      return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', await macKey(), signed)))
    },
    encryptToken: async (token: string) => {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const encrypted = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv },
        await tokenKey(),
        encodeText(token),
      )
      return base64url.encode(new Uint8Array([...iv, ...new Uint8Array(encrypted)]))
    },
    decryptToken: async (encrypted: string) => {
      const bytes = base64url.decode(encrypted)
      const iv = bytes.slice(0, IV_BYTES)
      const token = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv },
        await tokenKey(),
        bytes.slice(IV_BYTES),
      )
      return new TextDecoder().decode(token)
    },
  }
}

/** The facts that let a request be repeated, stored in the transaction that stores the document. */
export interface IdempotentCreate {
  /** Identifies the key and who sent it. */
  readonly keyHash: string
  /** Identifies what the request asked for. */
  readonly requestHash: string
  /** Only the holder of the key can decrypt it; null for a document of an account. */
  readonly encryptedToken: string | null
  readonly expiresAt: Instant
}

export interface FirstCreate extends IdempotentCreate {
  readonly contentKey: string
  /** The document as it is now; null if it's gone. */
  readonly document: Document | null
}

/** Returns null if nobody has used the key, or not for a day. */
export const firstCreate = (keyHash: string, now: Instant): Query<FirstCreate | null> => ({
  statements: [
    [
      `SELECT request_hash AS requestHash, content_key AS contentKey, encrypted_token AS encryptedToken,
          expires_at AS expiresAt FROM idempotency_keys
        WHERE key_hash = ?1 AND expires_at > ?2`,
      keyHash,
      now,
    ],
    [
      `${DOCUMENTS} WHERE d.expires_at > ?2
        AND d.id = (SELECT document_id FROM idempotency_keys WHERE key_hash = ?1 AND expires_at > ?2)`,
      keyHash,
      now,
    ],
  ],
  parse: (keys, documents) => {
    const [key] = (keys ?? []) as Omit<FirstCreate, 'keyHash' | 'document'>[]
    return key ? { ...key, keyHash, document: parseDocument(documents) } : null
  },
})

/** Stores the key if its document has just been inserted. Replaces one that has expired. */
export const insertIdempotentCreate = (
  { keyHash, requestHash, encryptedToken, expiresAt }: IdempotentCreate,
  { id, version, contentKey, createdAt }: Pick<Document, 'id' | 'version' | 'contentKey' | 'createdAt'>,
): Statement => [
  `INSERT INTO idempotency_keys
      (key_hash, request_hash, document_id, content_key, encrypted_token, expires_at)
    SELECT ?1, ?2, id, content_key, ?6, ?7 FROM documents WHERE id = ?3 AND version = ?4 AND content_key = ?5
    ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash,
      document_id = excluded.document_id, content_key = excluded.content_key,
      encrypted_token = excluded.encrypted_token, expires_at = excluded.expires_at
      WHERE idempotency_keys.expires_at <= ?8`,
  keyHash,
  requestHash,
  id,
  version,
  contentKey,
  encryptedToken,
  expiresAt,
  createdAt,
]

const KEY_LIFETIME_MS = DAY_MS

interface IdempotentInput {
  readonly content: IncomingContent
  readonly encryption: { readonly password: string | null } | null
}

/** @throws AppError `bad_request` if the service would generate a password, which a repeat couldn't return. */
export async function openIdempotentCreate(
  store: DocumentStore,
  { content, encryption }: IdempotentInput,
  request: IdempotentRequest,
  { creator, now }: { creator: Account | null; now: Instant },
) {
  if (encryption?.password === null) throw generatedPasswordNotRepeatable()
  const key = await openIdempotencyKey(request)
  const bytes = content.kind === 'text' ? content.bytes : encodeText(content.text)
  const requestHash = await key.hashRequest(bytes, request.settings)

  const repeat = async (first: FirstCreate) => {
    if (first.requestHash !== requestHash) throw idempotencyKeyReused()
    const { document, encryptedToken } = first
    const token = encryptedToken && (await key.decryptToken(encryptedToken))
    const viewer = { id: creator?.id ?? null, tokenHash: token && (await hashSecret(token)) }
    if (!document || !isCreator(document, viewer)) throw repeatedDocumentGone()
    const current = () =>
      retryWhileStale(store, document, now, (latest) => new StoredContent(store.contents, latest).read())
    // What was sent, or else what an edit stored since: for an encrypted document, its JWE.
    const text = document.contentKey === first.contentKey ? content.text : await current()
    return { document, content: text, token }
  }
  return {
    keyHash: key.hash,
    toWrite: async (token: string | null): Promise<IdempotentCreate> => ({
      keyHash: key.hash,
      requestHash,
      encryptedToken: token && (await key.encryptToken(token)),
      expiresAt: now + KEY_LIFETIME_MS,
    }),
    findRepeated: async () => {
      const { statements, parse } = firstCreate(key.hash, now)
      // Only a batch tells the bookmark, which the first answer had, too.
      const first = parse(...(await store.db.idempotentBatch(statements)))
      return first && repeat(first)
    },
    /** Is called for the create that was first: another one at the same time, or this one, whose answer was lost. */
    repeat,
  }
}

/** How many keys a run deletes. The next run continues. */
const MAX_DELETED_KEYS = 5_000

export async function deleteExpiredKeys(db: Database, now: Instant): Promise<void> {
  await db.all([
    `DELETE FROM idempotency_keys WHERE key_hash IN (
      SELECT key_hash FROM idempotency_keys WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ${MAX_DELETED_KEYS})`,
    now,
  ])
}
