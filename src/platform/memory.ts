import { unavailable } from '../errors.ts'
import type { Instant } from '../shared/instant.ts'

const MiB = 1024 * 1024

/** Older reservations don't count: if a client hangs up, no `finally` frees them. Longer work renews its own. */
const MAX_AGE_MS = 60_000

type Reservations = Set<Reserved>

class Reserved {
  readonly #all: Reservations
  #bytes: number
  #renewedAt = Date.now()

  constructor(all: Reservations, bytes: number) {
    this.#all = all
    this.#bytes = bytes
    all.add(this)
  }

  static getBytes(all: Reservations, now: Instant): number {
    let bytes = 0
    for (const reserved of all) {
      if (now - reserved.#renewedAt > MAX_AGE_MS) all.delete(reserved)
      else bytes += reserved.#bytes
    }
    return bytes
  }

  renew(): void {
    this.#renewedAt = Date.now()
  }

  /** Doesn't wait: who has memory already must not wait for those who wait for it. */
  add(bytes: number): void {
    this.#bytes += bytes
    this.renew()
  }

  release(): void {
    this.#all.delete(this)
  }
}

const RETRY_AFTER_SECONDS = 5

const POLL_MS = 25

interface Limits {
  /** For content on its way from or to clients, which may be slow. */
  readonly transferBytes: number
  readonly totalBytes: number
  readonly maxWaitMs: number
}

/**
 * Keeps large requests that run side by side within the memory of an isolate.
 *
 * A request reserves memory twice: while its content arrives, and then to process it. Only transfers wait for clients,
 * and processing never waits for a transfer of another request, so requests can't wait for each other in a circle. They
 * wait by looking again and again, each on its own timer: a Worker must not resolve a promise of another request.
 */
export class IsolateMemory {
  readonly #limits: Limits
  readonly #transfers: Reservations = new Set()
  readonly #processing: Reservations = new Set()
  #permanentBytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  getReservedBytes(): number {
    const now = Date.now()
    return Reserved.getBytes(this.#transfers, now) + Reserved.getBytes(this.#processing, now)
  }

  /** For content that arrives. @throws AppError `unavailable` after `maxWaitMs`. */
  async receive(bytes: number): Promise<Reserved> {
    const { transferBytes } = this.#limits
    return this.#reserve(this.#transfers, bytes, (now) => {
      const taken = Reserved.getBytes(this.#transfers, now)
      // One request may always go on, however large it is.
      return taken === 0 || taken + bytes <= transferBytes
    })
  }

  /** For a module that stays in memory. */
  reservePermanently(bytes: number): void {
    this.#permanentBytes += bytes
  }

  /** For content that is on its way to a client. It's there already, so this doesn't wait. */
  send(bytes: number): Reserved {
    return new Reserved(this.#transfers, bytes)
  }

  /** @throws AppError `unavailable` after `maxWaitMs`. */
  async process(bytes: number): Promise<Reserved> {
    const { totalBytes, transferBytes } = this.#limits
    return this.#reserve(this.#processing, bytes, (now) => {
      const processing = Reserved.getBytes(this.#processing, now)
      const transfers = Reserved.getBytes(this.#transfers, now)
      return (
        processing + transfers + bytes <= totalBytes - this.#permanentBytes ||
        (processing === 0 && transfers <= transferBytes)
      )
    })
  }

  /** Nothing may come between the look and the reservation. */
  async #reserve(
    reservations: Reservations,
    bytes: number,
    mayReserve: (now: Instant) => boolean,
  ): Promise<Reserved> {
    const start = Date.now()
    for (let now = start; !mayReserve(now); now = Date.now()) {
      if (now - start >= this.#limits.maxWaitMs) {
        throw unavailable(new Error('other requests need the memory'), RETRY_AFTER_SECONDS)
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    return new Reserved(reservations, bytes)
  }
}

/** For large content. An isolate has 128 MiB; the code takes about 15, the cache of content 16, and others four. */
export const isolateMemory = new IsolateMemory({
  transferBytes: 32 * MiB,
  totalBytes: 92 * MiB,
  maxWaitMs: 5_000,
})

/** Content up to this size isn't counted. Most of it is in the cache, where requests share it. */
const SMALL_BYTES = 512 * 1024

/** For the bytes of the content, and its text in UTF-16. */
const BYTES_PER_PLAIN_BYTE = 3
/** Also for the encrypted bytes, their base64url, the JWE, and the bytes of that. */
const BYTES_PER_ENCRYPTED_BYTE = 6

export class RequestMemory {
  readonly #isolate: IsolateMemory
  #reserved: Reserved | null = null
  #released = false

  constructor(isolate: IsolateMemory = isolateMemory) {
    this.#isolate = isolate
  }

  receive(maxBytes: number): ArrivingContent {
    return new ArrivingContent(this, this.#isolate, maxBytes)
  }

  /** Does nothing after `release`, for work that goes on after the response. @throws AppError `unavailable`. */
  async reserve(contentBytes: number, { encrypted }: { encrypted: boolean }): Promise<void> {
    if (contentBytes <= SMALL_BYTES || this.#released) return
    const bytes = (encrypted ? BYTES_PER_ENCRYPTED_BYTE : BYTES_PER_PLAIN_BYTE) * contentBytes
    if (this.#reserved) return this.#reserved.add(bytes)
    this.#reserved = await this.#isolate.process(bytes)
    if (this.#released) this.#reserved.release()
  }

  release(): void {
    this.#released = true
    this.#reserved?.release()
  }
}

class ArrivingContent {
  readonly #memory: RequestMemory
  readonly #isolate: IsolateMemory
  readonly #maxBytes: number
  #reserved: Reserved | null = null
  #size = 0

  constructor(memory: RequestMemory, isolate: IsolateMemory, maxBytes: number) {
    this.#memory = memory
    this.#isolate = isolate
    this.#maxBytes = maxBytes
  }

  /** Once the content is large, waits until there is memory for all of it. @throws AppError `unavailable`. */
  async count(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.byteLength
    if (this.#size <= SMALL_BYTES) return
    if (this.#reserved) this.#reserved.renew()
    else this.#reserved = await this.#isolate.receive(this.#maxBytes)
  }

  /** @throws like `count`. */
  async finish(): Promise<void> {
    // Nobody knows yet whether the content will be encrypted.
    await this.#memory.reserve(Math.min(this.#size, this.#maxBytes), { encrypted: true })
    this.release()
  }

  release(): void {
    this.#reserved?.release()
    this.#reserved = null
  }
}

export function reserveForSending(texts: readonly string[]): Reserved | null {
  // Most texts take one byte a character in memory, others two.
  const bytes = texts.reduce((sum, { length }) => sum + length, 0)
  return bytes > SMALL_BYTES ? isolateMemory.send(bytes) : null
}

interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
}

interface LruLimits<Value> {
  readonly maxBytes: number
  /** Larger values aren't kept. */
  readonly maxEntryBytes?: number
  readonly getBytes: (value: Value) => number
}

/** Forgets what was used longest ago once its values take more than `maxBytes`. */
export class LruCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #maxBytes: number
  readonly #maxEntryBytes: number
  readonly #getBytes: (value: Value) => number
  #bytes = 0

  constructor({ maxBytes, maxEntryBytes = maxBytes, getBytes }: LruLimits<Value>) {
    this.#maxBytes = maxBytes
    this.#maxEntryBytes = maxEntryBytes
    this.#getBytes = getBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A Map iterates in the order of insertion.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: Value): void {
    const bytes = this.#getBytes(value)
    this.delete(key)
    if (bytes > this.#maxEntryBytes) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }
}

/** V8 stores a string in one or two bytes per character. Counting two never underestimates. */
export const getSizeInMemory = (text: string): number => text.length * 2

/** One value for each environment: tests have several. */
export function perEnvironment<Value>(create: () => Value): (env: Env) => Value {
  const values = new WeakMap<Env, Value>()
  return (env) => {
    const value = values.get(env) ?? create()
    values.set(env, value)
    return value
  }
}
