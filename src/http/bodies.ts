import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AppError, contentTooLarge } from '../errors.ts'
import type { RequestMemory } from '../platform/memory.ts'

export const limitBody = (maxBytes: number): MiddlewareHandler =>
  bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw contentTooLarge()
    },
  })

/** Bytes read at once. The runtime's own chunks have 4 KiB, and asking for one takes longer than reading it. */
const CHUNK_BYTES = 64 * 1024

/** How long a client may pause. What it has sent until then takes memory. */
const MAX_PAUSE_MS = 30_000

/** In total, besides the time that the bytes take at `MIN_BYTES_PER_SECOND`. */
const GRACE_MS = 30_000

/** On average. A slow 3G connection is faster. A client that sends a byte now and then would hold memory. */
const MIN_BYTES_PER_SECOND = 16 * 1024

const interrupted = (cause: unknown) =>
  cause instanceof AppError ? cause : new AppError('bad_request', 'The upload was interrupted', { cause })

/** As the request says; null if it doesn't. */
export function getAnnouncedBytes({ headers }: Request): number | null {
  const length = headers.get('Content-Length')
  // With a transfer encoding, the length means nothing (RFC 9112 §6.3).
  return length !== null && /^\d{1,15}$/.test(length) && !headers.has('Transfer-Encoding')
    ? Number(length)
    : null
}

type ChunkReader = ReturnType<typeof getChunkReader>

/** Reads into the same memory again and again, where the stream can do that: a chunk is valid until the next one. */
function getChunkReader(body: ReadableStream<Uint8Array>) {
  let byteReader: ReadableStreamBYOBReader
  try {
    byteReader = body.getReader({ mode: 'byob' })
  } catch {
    // A stream that a test made. The bodies of requests from the network are streams of bytes.
    const reader = body.getReader()
    const read = async () => (await reader.read()).value ?? null
    return { read, release: () => reader.releaseLock(), cancel: () => reader.cancel() }
  }
  let buffer = new ArrayBuffer(CHUNK_BYTES)
  const read = async () => {
    const { done, value } = await byteReader.read(new Uint8Array(buffer))
    if (done) return null
    buffer = value.buffer
    return value
  }
  return { read, release: () => byteReader.releaseLock(), cancel: () => byteReader.cancel() }
}

interface Pace {
  readonly maxPauseMs?: number
  readonly clock?: () => number
}

export class BodyChunks {
  readonly #reader: ChunkReader | null
  readonly #maxPauseMs: number
  readonly #clock: () => number
  /** How long the client has kept us waiting. The time that we take ourselves doesn't count. */
  #waitedMs = 0
  #size = 0
  #isReading = false

  constructor({ body }: Request, { maxPauseMs = MAX_PAUSE_MS, clock = Date.now }: Pace = {}) {
    this.#reader = body && getChunkReader(body)
    this.#maxPauseMs = maxPauseMs
    this.#clock = clock
  }

  /** @throws AppError `bad_request` if the client hangs up, pauses for too long or sends too slowly. */
  async read(): Promise<Uint8Array | null> {
    if (this.#reader === null) return null
    const maxWaitMs = GRACE_MS + (this.#size / MIN_BYTES_PER_SECOND) * 1000 - this.#waitedMs
    if (maxWaitMs <= 0) throw new AppError('bad_request', 'The upload was too slow')
    const startedAt = this.#clock()
    const chunk = await this.#readWithin(Math.min(maxWaitMs, this.#maxPauseMs))
    this.#waitedMs += this.#clock() - startedAt
    this.#size += chunk?.byteLength ?? 0
    return chunk
  }

  async #readWithin(milliseconds: number): Promise<Uint8Array | null> {
    let timer: ReturnType<typeof setTimeout> | null = null
    const pause = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`nothing for ${milliseconds} ms`)), milliseconds)
    })
    try {
      this.#isReading = true
      const chunk = await Promise.race([this.#reader?.read() ?? null, pause])
      this.#isReading = false
      return chunk
    } catch (error) {
      throw interrupted(error)
    } finally {
      clearTimeout(timer)
    }
  }

  async discard(maxBytes: number): Promise<void> {
    let size = 0
    while (size < maxBytes) {
      const chunk = await this.read().catch(() => null)
      if (chunk === null) return
      size += chunk.byteLength
    }
  }

  /** Leaves the rest unread. Canceling it would end the connection of a local server before its answer. */
  release(): void {
    if (this.#isReading) this.#reader?.cancel().catch(() => {})
    else this.#reader?.release()
  }
}

/** Memory to start with for a body of unknown length. */
const INITIAL_BYTES = 64 * 1024

/** Takes no more memory than `maxBytes`. Its user checks the size. */
export class ByteCollector {
  readonly #maxBytes: number
  #bytes: Uint8Array<ArrayBuffer>
  #size = 0

  constructor(expectedBytes: number, maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#bytes = new Uint8Array(Math.min(expectedBytes, maxBytes))
  }

  get size(): number {
    return this.#size
  }

  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.byteLength
    if (size > this.#bytes.byteLength) {
      const grown = new Uint8Array(Math.max(size, Math.min(2 * this.#bytes.byteLength, this.#maxBytes)))
      grown.set(this.#bytes.subarray(0, this.#size))
      this.#bytes = grown
    }
    this.#bytes.set(chunk, this.#size)
    this.#size = size
  }

  clear(): void {
    this.#size = 0
  }

  end(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#size)
  }
}

interface BodyLimit {
  /** From the first bytes of the body. */
  readonly getMaxBytes: (start: Uint8Array) => number
  /** How much of a body that is too large is read: programs often report an early answer as a broken connection. */
  readonly maxDiscardedBytes?: number
  readonly memory: RequestMemory
}

/** @throws AppError `content_too_large`, and `bad_request` for an upload that breaks off. */
export async function readBody(
  request: Request,
  { getMaxBytes, maxDiscardedBytes = 0, memory }: BodyLimit,
): Promise<Uint8Array<ArrayBuffer>> {
  const announced = getAnnouncedBytes(request)
  const chunks = new BodyChunks(request)
  let chunk = await chunks.read()
  const maxBytes = getMaxBytes(chunk ?? new Uint8Array())
  const arriving = memory.receive(Math.min(announced ?? maxBytes, maxBytes))
  let collected: ByteCollector | null = new ByteCollector(announced ?? INITIAL_BYTES, maxBytes)
  let size = 0
  try {
    for (; chunk !== null; chunk = await chunks.read()) {
      size += chunk.byteLength
      if (Math.max(size, announced ?? 0) > maxBytes) collected = null
      if (collected === null && size > maxDiscardedBytes) break
      if (collected === null) continue
      await arriving.count(chunk)
      collected.add(chunk)
    }
    if (collected === null) throw contentTooLarge()
    await arriving.finish()
    return collected.end()
  } finally {
    arriving.release()
    chunks.release()
  }
}
