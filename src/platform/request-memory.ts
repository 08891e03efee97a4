import { type IsolateMemory, isolateMemory, type Reserved } from './memory.ts'

/** Content up to this size isn't counted. Most of it is in the cache, where requests share it. */
const SMALL_BYTES = 512 * 1024

/** How many bytes of memory a byte of content takes: for its bytes, and its text in UTF-16. */
const BYTES_PER_PLAIN_BYTE = 3
/** The same with encryption: also for the encrypted bytes, their base64url, the JWE, and the bytes of that. */
const BYTES_PER_ENCRYPTED_BYTE = 6

/** The memory that one request has reserved to process content. */
export class RequestMemory {
  readonly #isolate: IsolateMemory
  #reserved: Reserved | null = null
  #released = false

  constructor(isolate: IsolateMemory = isolateMemory) {
    this.#isolate = isolate
  }

  /** Reserves memory while content of at most `maxBytes` arrives. */
  receive(maxBytes: number): ArrivingContent {
    return new ArrivingContent(this, this.#isolate, maxBytes)
  }

  /**
   * Reserves the memory to process content, until `release`. Does nothing after that, for work that goes on after the
   * response.
   *
   * @throws AppError `unavailable` if other requests need too much memory for too long.
   */
  async reserve(contentBytes: number, { encrypted }: { encrypted: boolean }): Promise<void> {
    if (contentBytes <= SMALL_BYTES || this.#released) return
    const bytes = (encrypted ? BYTES_PER_ENCRYPTED_BYTE : BYTES_PER_PLAIN_BYTE) * contentBytes
    if (this.#reserved) this.#reserved.add(bytes)
    else this.#reserved = await this.#isolate.process(bytes)
  }

  release(): void {
    this.#released = true
    this.#reserved?.release()
  }
}

/** Content that is on its way from a client. */
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

  /**
   * Counts a chunk. The first one that makes the content large waits until there is memory for all of it.
   *
   * @throws AppError `unavailable` if other requests need too much memory for too long.
   */
  async count(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.byteLength
    if (this.#size <= SMALL_BYTES) return
    if (this.#reserved) this.#reserved.renew()
    else this.#reserved = await this.#isolate.receive(this.#maxBytes)
  }

  /** Reserves the memory to process the content, now that all of it has arrived. Throws like `count`. */
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

/** Reserves the memory of texts while they are sent; null for small ones. */
export function reserveForSending(texts: readonly string[]): Reserved | null {
  // Most texts take one byte a character in memory, others two.
  const bytes = texts.reduce((sum, { length }) => sum + length, 0)
  return bytes > SMALL_BYTES ? isolateMemory.send(bytes) : null
}
