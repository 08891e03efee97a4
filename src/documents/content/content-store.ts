import { unavailable } from '../../errors.ts'
import { storageFault, withinTime } from '../../platform/database.ts'
import { NEVER } from '../../shared/expiry.ts'
import { decodeText } from '../model/content.ts'
import { generateContentKey } from '../model/ids.ts'
import { contentCache } from './content-cache.ts'

/** How much longer than the document KV keeps its content, so that readers under way and skewed clocks find it. */
export const CONTENT_MARGIN_MS = 5 * 60_000

/** KV keeps nothing for less than a minute. */
const LEAST_TTL_SECONDS = 60

/** Immutable content may stay in the cache of a data centre for as long as anyone asks for it. */
const CACHE_TTL_SECONDS = 24 * 60 * 60
/** What is to be read once is not kept longer than KV insists on. */
const LEAST_CACHE_TTL_SECONDS = 30

/** Until when KV keeps content that is put for a document with this expiration. */
export const contentUntil = (expiresAt: number): number =>
  expiresAt === NEVER ? NEVER : expiresAt + CONTENT_MARGIN_MS

/** What KV keeps beside content: what the sweep needs to find content without a row. */
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

/** Content blobs in KV under immutable keys: one key a version, never overwritten, never probed before its put. */
export class Contents {
  readonly #kv: KVNamespace
  readonly #timeoutMs: number

  constructor(kv: KVNamespace, timeoutMs: number) {
    this.#kv = kv
    this.#timeoutMs = timeoutMs
  }

  /**
   * Stores content under a new key. Only when this has resolved may a row name the key.
   *
   * @throws AppError `unavailable` when KV does not take it.
   */
  async put({ documentId, bytes, expiresAt, now }: NewContent): Promise<string> {
    const key = generateContentKey()
    const metadata: ContentMetadata = { document: documentId, putAt: now }
    const until = contentUntil(expiresAt)
    await this.#within(
      this.#kv.put(key, bytes, {
        metadata,
        ...(until !== NEVER && {
          expirationTtl: Math.max(LEAST_TTL_SECONDS, Math.ceil((until - now) / 1000)),
        }),
      }),
    )
    return key
  }

  /**
   * The text under a key; null when KV does not have it.
   *
   * @param once the text is about to be burned: it is kept in no cache.
   * @throws AppError `unavailable` when KV fails, or does not answer, twice.
   */
  async get(key: string, { once = false } = {}): Promise<string | null> {
    const cached = contentCache.get(key)
    if (cached !== undefined) return cached
    const options = {
      type: 'arrayBuffer',
      cacheTtl: once ? LEAST_CACHE_TTL_SECONDS : CACHE_TTL_SECONDS,
    } as const
    const bytes = await this.#twice(() => this.#kv.get(key, options))
    if (bytes === null) return null
    const text = decodeText(bytes)
    if (!once) contentCache.set(key, text)
    return text
  }

  /** The bytes under a key as they come from KV, for content that nobody need look at; null as with `get`. */
  async stream(key: string): Promise<ReadableStream | null> {
    return this.#twice(() => this.#kv.get(key, { type: 'stream', cacheTtl: CACHE_TTL_SECONDS }))
  }

  async delete(key: string): Promise<void> {
    contentCache.delete(key)
    await this.#within(this.#kv.delete(key))
  }

  /** One page of at most 1,000 keys, with when and for which document each was put. */
  async list(cursor: string | null) {
    return this.#within(this.#kv.list<ContentMetadata>({ prefix: 'content/', cursor }))
  }

  /** Asks again after a fault, or silence: reading changes nothing. */
  async #twice<T>(call: () => Promise<T>): Promise<T> {
    const once = () => this.#within(call())
    return once().catch(once)
  }

  async #within<T>(call: Promise<T>): Promise<T> {
    try {
      return await withinTime(call, this.#timeoutMs)
    } catch (error) {
      const fault = storageFault(error)
      throw fault === error ? unavailable(error) : fault
    }
  }
}
