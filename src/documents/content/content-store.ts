import { unavailable } from '../../errors.ts'
import { type OnStorageCall, toStorageError, withTimeout } from '../../platform/database.ts'
import { NEVER } from '../../shared/expiry.ts'
import { decodeText } from '../model/content.ts'
import { generateContentKey } from '../model/ids.ts'
import { contentCache } from './content-cache.ts'

/** How much longer KV keeps content than its document: for reads in progress and clocks that differ. */
export const CONTENT_MARGIN_MS = 5 * 60_000

/** KV refuses a shorter TTL. */
const MIN_TTL_SECONDS = 60

/** Content is immutable, so a data centre may cache it for as long as it is requested. */
const CACHE_TTL_SECONDS = 24 * 60 * 60
/** The shortest time that KV accepts, for content that is about to be burned. */
const MIN_CACHE_TTL_SECONDS = 30

/** Returns when KV deletes content that is stored for a document with this expiry. */
export const getContentExpiry = (expiresAt: number): number =>
  expiresAt === NEVER ? NEVER : expiresAt + CONTENT_MARGIN_MS

/** Stored in KV beside the content, for finding orphaned content. */
interface ContentMetadata {
  readonly document: string
  readonly putAt: number
}

interface NewContent {
  readonly documentId: string
  readonly bytes: Uint8Array
  readonly expiresAt: number
  readonly now: number
}

/**
 * Content in KV, under a new key for every version of every document. A key is never overwritten, and never read
 * before it is written, so eventual consistency can't show.
 */
export class ContentStore {
  readonly #kv: KVNamespace
  readonly #timeoutMs: number
  readonly #onCall: OnStorageCall | undefined

  constructor(kv: KVNamespace, timeoutMs: number, onCall?: OnStorageCall) {
    this.#kv = kv
    this.#timeoutMs = timeoutMs
    this.#onCall = onCall
  }

  /**
   * Stores content and returns its new key. A row may refer to the key only after this has resolved.
   *
   * @throws AppError `unavailable` when KV fails or times out.
   */
  async put({ documentId, bytes, expiresAt, now }: NewContent): Promise<string> {
    const key = generateContentKey()
    const metadata: ContentMetadata = { document: documentId, putAt: now }
    const until = getContentExpiry(expiresAt)
    await this.#withTimeout(
      this.#kv.put(key, bytes, {
        metadata,
        ...(until !== NEVER && {
          expirationTtl: Math.max(MIN_TTL_SECONDS, Math.ceil((until - now) / 1000)),
        }),
      }),
    )
    return key
  }

  /**
   * Returns the content under a key; null if KV doesn't have it.
   *
   * @param cache false for content that is about to be burned.
   * @throws AppError `unavailable` when KV fails or times out twice.
   */
  async get(key: string, { cache = true } = {}): Promise<string | null> {
    const cached = contentCache.get(key)
    if (cached !== undefined) return cached
    const options = {
      type: 'arrayBuffer',
      cacheTtl: cache ? CACHE_TTL_SECONDS : MIN_CACHE_TTL_SECONDS,
    } as const
    const bytes = await this.#retry(() => this.#kv.get(key, options))
    if (bytes === null) return null
    const text = decodeText(bytes)
    if (cache) contentCache.set(key, text)
    return text
  }

  /** Returns the bytes under a key as KV sends them, for content that isn't examined; null like `get`. */
  async stream(key: string): Promise<ReadableStream | null> {
    return this.#retry(() => this.#kv.get(key, { type: 'stream', cacheTtl: CACHE_TTL_SECONDS }))
  }

  async delete(key: string): Promise<void> {
    contentCache.delete(key)
    await this.#withTimeout(this.#kv.delete(key))
  }

  /** Returns a page of at most 1,000 keys, with the document and the time that each was stored for. */
  async list(cursor: string | null) {
    return this.#withTimeout(this.#kv.list<ContentMetadata>({ prefix: 'content/', cursor }))
  }

  /** Tries a read again after a fault or a timeout. */
  async #retry<T>(call: () => Promise<T>): Promise<T> {
    const attempt = () => this.#withTimeout(call())
    return attempt().catch(attempt)
  }

  async #withTimeout<T>(call: Promise<T>): Promise<T> {
    const startedAt = Date.now()
    try {
      return await withTimeout(call, this.#timeoutMs).finally(() => this.#onCall?.(Date.now() - startedAt))
    } catch (error) {
      const storageError = toStorageError(error)
      throw storageError === error ? unavailable(error) : storageError
    }
  }
}
