import { ReadOnlyError, unavailable } from '../errors.ts'
import { type Database, type OnStorageCall, toStorageError, withTimeout } from '../platform/database.ts'
import { getSizeInMemory, LruCache } from '../platform/lru-cache.ts'
import type { RequestMemory } from '../platform/request-memory.ts'
import { NEVER } from '../shared/expiry.ts'
import { DAY_MS, DAY_SECONDS, type Instant } from '../shared/instant.ts'
import type { DatabaseMarker } from './cleanup-state.ts'
import { generateContentKey } from './document.ts'

// `ignoreBOM` keeps a byte order mark in the text, so content is returned byte for byte.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws TypeError for other bytes than UTF-8. */
export const decodeText = (bytes: ArrayBuffer | Uint8Array): string => decoder.decode(bytes)

/** Fetches no more than the start. `maxBytes` are of UTF-8. */
export async function readTextStart(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  let text = ''
  for (let bytes = 0; bytes < maxBytes; ) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value.subarray(0, maxBytes - bytes), { stream: true })
    bytes += value.byteLength
  }
  await reader.cancel()
  return text
}

const MiB = 1024 * 1024
const MAX_CACHED_BYTES = 1 * MiB

/** Content keys are immutable, so an entry is never stale. An isolate has 128 MiB of memory in all. */
export const contentCache = new LruCache<string>({
  maxBytes: 16 * MiB,
  maxEntryBytes: MAX_CACHED_BYTES,
  getBytes: getSizeInMemory,
})

/** How much longer KV keeps content than its document: for reads in progress and clocks that differ. */
export const CONTENT_MARGIN_MS = 5 * 60_000

/** The shortest TTL that KV accepts. */
const MIN_TTL_SECONDS = 60

/** Content is immutable, so a data centre may cache it for as long as it is requested. */
const CACHE_TTL_SECONDS = DAY_SECONDS
/** The shortest time that KV accepts: for content that is about to be burned, or that may not have arrived yet. */
const MIN_CACHE_TTL_SECONDS = 30
/** A data centre that is asked too early also caches the miss. Writes normally arrive within a minute. */
export const ARRIVAL_MS = 10 * 60_000

/** KV's key for the marker of the database. The keys of content start with `content/`. */
const MARKER_KEY = 'database'

export const getContentExpiry = (expiresAt: Instant): number =>
  expiresAt === NEVER ? NEVER : expiresAt + CONTENT_MARGIN_MS

const MIN_ROOM_MS = 30 * DAY_MS
/** KV keeps content that would be kept for longer until cleanup deletes it. */
const MAX_ROOM_MS = 365 * DAY_MS

/**
 * Returns the expiry of content that is only stored again because its document now expires later. It has room to spare,
 * so that however often the document is extended, its content is stored again five times at most. Cleanup deletes it
 * once the document has expired.
 */
export function getExtendedContentExpiry(expiresAt: Instant, now: Instant): number {
  const roomMs = Math.max(2 * (expiresAt - now), MIN_ROOM_MS)
  return roomMs > MAX_ROOM_MS ? NEVER : getContentExpiry(now + roomMs)
}

/** The search for orphaned content needs it. */
interface ContentMetadata {
  readonly document: string
  readonly putAt: Instant
}

interface NewContent {
  readonly documentId: string
  readonly bytes: Uint8Array
  /** Keeps the text in memory: the next edit compares it. */
  readonly keepText?: boolean
  /** The time from which KV may delete the content, a little after the document expires: see `getContentExpiry`. */
  readonly contentExpiresAt: Instant
  readonly now: Instant
}

interface ReadOptions {
  readonly cache?: boolean
  readonly storedAt: Instant
}

interface ContentStoreOptions {
  readonly onCall?: OnStorageCall
  readonly memory?: RequestMemory
  /** Makes `put` and `delete` throw a `ReadOnlyError`. */
  readonly readOnly?: boolean
}

/** A key is never overwritten, and never read before it is written, so eventual consistency can't show. */
export class ContentStore {
  readonly #kv: KVNamespace
  readonly #timeoutMs: number
  readonly #onCall: OnStorageCall | undefined
  readonly #readOnly: boolean
  /** Jobs without a request reserve none. */
  readonly memory: RequestMemory | undefined

  constructor(
    kv: KVNamespace,
    timeoutMs: number,
    { onCall, memory, readOnly = false }: ContentStoreOptions = {},
  ) {
    this.#kv = kv
    this.#timeoutMs = timeoutMs
    this.#onCall = onCall
    this.#readOnly = readOnly
    this.memory = memory
  }

  /** A row may refer to the key only after this has resolved. @throws AppError `unavailable` if KV fails. */
  async put({
    documentId,
    bytes,
    keepText = false,
    contentExpiresAt: until,
    now,
  }: NewContent): Promise<string> {
    if (this.#readOnly) throw new ReadOnlyError()
    const key = generateContentKey()
    const metadata: ContentMetadata = { document: documentId, putAt: now }
    await this.#withTimeout(
      this.#kv.put(key, bytes, {
        metadata,
        ...(until !== NEVER && {
          expirationTtl: Math.max(MIN_TTL_SECONDS, Math.ceil((until - now) / 1000)),
        }),
      }),
    )
    // The caller's string may be a part of a much longer one, which would stay in memory with it.
    if (keepText && bytes.byteLength <= MAX_CACHED_BYTES) contentCache.set(key, decodeText(bytes))
    return key
  }

  /**
   * @param cache false for content that is about to be burned.
   * @param storedAt when the content was stored, or a later time.
   * @throws AppError `unavailable` when KV fails or times out twice.
   */
  async get(key: string, { cache = true, storedAt }: ReadOptions): Promise<string | null> {
    const cached = contentCache.get(key)
    if (cached !== undefined) return cached
    const bytes = await this.#find(cache ? storedAt : null, (cacheTtl) =>
      this.#kv.get(key, { type: 'arrayBuffer', cacheTtl }),
    )
    if (bytes === null) return null
    const text = decodeText(bytes)
    if (cache) contentCache.set(key, text)
    return text
  }

  /** Gives the bytes as KV sends them, for content that isn't examined. */
  async stream(key: string, { storedAt }: Pick<ReadOptions, 'storedAt'>): Promise<ReadableStream | null> {
    return this.#find(storedAt, (cacheTtl) => this.#kv.get(key, { type: 'stream', cacheTtl }))
  }

  /** Fetches nothing: the stream is closed at once. A list would cost ten times as much. */
  async has(key: string): Promise<boolean> {
    const stream: ReadableStream | null = await this.#find(null, (cacheTtl) =>
      this.#kv.get(key, { type: 'stream', cacheTtl }),
    )
    await stream?.cancel()
    return stream !== null
  }

  async delete(key: string): Promise<void> {
    if (this.#readOnly) throw new ReadOnlyError()
    contentCache.delete(key)
    await this.#withTimeout(this.#kv.delete(key))
  }

  /** Lists at most 1,000 keys. */
  async list(cursor: string | null) {
    return this.#withTimeout(this.#kv.list<ContentMetadata>({ prefix: 'content/', cursor }))
  }

  async readMarker(): Promise<DatabaseMarker | null> {
    return this.#retry(() => this.#kv.get<DatabaseMarker>(MARKER_KEY, 'json'))
  }

  async writeMarker(marker: DatabaseMarker): Promise<void> {
    await this.#withTimeout(this.#kv.put(MARKER_KEY, JSON.stringify(marker)))
  }

  /**
   * Finds content or its metadata. Nothing may be cached for long if `storedAt` is null. A second read with a shorter
   * `cacheTtl` also shortens the life of a miss that the data centre has cached.
   */
  async #find<T>(storedAt: Instant | null, read: (cacheTtl: number) => Promise<T | null>): Promise<T | null> {
    const settled = storedAt !== null && Date.now() - storedAt >= ARRIVAL_MS
    const found = await this.#retry(() => read(settled ? CACHE_TTL_SECONDS : MIN_CACHE_TTL_SECONDS))
    if (found !== null || !settled) return found
    return this.#retry(() => read(MIN_CACHE_TTL_SECONDS))
  }

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

/** Returns keys that are due to be deleted, starting with the one that has been due the longest. */
export async function findPendingDeletions(db: Database, now: Instant, limit: number): Promise<string[]> {
  const rows = await db.all<{ content_key: string }>([
    'SELECT content_key FROM detached_contents WHERE removable_at <= ?1 ORDER BY removable_at LIMIT ?2',
    now,
    limit,
  ])
  return rows.map((row) => row.content_key)
}

/**
 * Interrupted at any point, it leaves pending deletions for cleanup, never garbage.
 *
 * @throws the first fault of KV, after it has recorded what KV did delete.
 */
export async function deleteContent(
  { db, contents }: { readonly db: Database; readonly contents: ContentStore },
  contentKeys: readonly string[],
): Promise<void> {
  const outcomes = await Promise.allSettled(contentKeys.map((key) => contents.delete(key)))
  const deleted = contentKeys.filter((_, index) => outcomes[index]?.status === 'fulfilled')
  await db.all([
    'DELETE FROM detached_contents WHERE content_key IN (SELECT value FROM json_each(?1))',
    JSON.stringify(deleted),
  ])
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
