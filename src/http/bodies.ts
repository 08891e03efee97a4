import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../env.ts'
import { AppError, contentTooLarge } from '../errors.ts'
import { MIN_BYTES_PER_SECOND, type RequestMemory } from '../platform/request-memory.ts'

/** Bytes read at once. The runtime's own chunks have 4 KiB, and asking for one takes longer than reading it. */
const CHUNK_BYTES = 64 * 1024
const FIRST_CHUNK_BYTES = 4 * 1024

/**
 * Returns the size of the next chunk. Bytes that are announced may never come, so buffers grow with those that have
 * arrived.
 */
const getChunkBytes = (size: number): number => Math.min(Math.max(size, FIRST_CHUNK_BYTES), CHUNK_BYTES)

/** The buffer that chunks are read into, and the room in the last chunks of two collectors. */
const BUFFERS = 3

/** How long a client may pause. Meanwhile, the part that has arrived takes memory. */
const MAX_PAUSE_MS = 30_000

/** How long all pauses of a body may take in total, besides the time that its bytes take at `MIN_BYTES_PER_SECOND`. A client that sends a byte now and then would hold memory. */
const GRACE_MS = 30_000

const SEND_AGAIN = 'Send it again'

const interrupted = (cause: unknown) =>
  cause instanceof AppError
    ? cause
    : new AppError('bad_request', 'The upload was interrupted', { nextStep: SEND_AGAIN, cause })

/** Returns the size that the request announces; null if it announces none. */
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
    // A stream that a test or we made. The bodies of requests from the network are streams of bytes.
    const reader = body.getReader()
    const read = async () => (await reader.read()).value ?? null
    return { read, release: () => reader.releaseLock(), cancel: () => reader.cancel() }
  }
  let buffer = new ArrayBuffer(0)
  const read = async (bytes: number) => {
    if (buffer.byteLength < bytes) buffer = new ArrayBuffer(bytes)
    const { done, value } = await byteReader.read(new Uint8Array(buffer))
    if (done) return null
    buffer = value.buffer
    return value
  }
  return { read, release: () => byteReader.releaseLock(), cancel: () => byteReader.cancel() }
}

interface BodyOptions {
  readonly memory: RequestMemory
  /** How much of the body is kept. */
  readonly maxBytes?: number
  readonly maxPauseMs?: number
  readonly clock?: () => number
}

/** The chunks of a request's body. It counts all that arrive. */
export class BodyChunks {
  readonly #reader: ChunkReader | null
  readonly #memory: RequestMemory
  readonly #announcedBytes: number | null
  readonly #maxPauseMs: number
  readonly #clock: () => number
  #maxBytes: number
  /** How long the client has kept us waiting. The time that we take ourselves doesn't count. */
  #waitedMs = 0
  #size = 0
  #isReading = false

  constructor(
    request: Request,
    { memory, maxBytes = Number.POSITIVE_INFINITY, maxPauseMs = MAX_PAUSE_MS, clock = Date.now }: BodyOptions,
  ) {
    this.#reader = request.body && getChunkReader(request.body)
    this.#memory = memory
    this.#announcedBytes = getAnnouncedBytes(request)
    this.#maxBytes = maxBytes
    this.#maxPauseMs = maxPauseMs
    this.#clock = clock
  }

  /** Returns how many bytes have been read so far. */
  get size(): number {
    return this.#size
  }

  /** The user of the chunks keeps no more of them. */
  limit(maxBytes: number): void {
    this.#maxBytes = maxBytes
  }

  /**
   * @throws AppError `bad_request` if the client hangs up, pauses for too long or sends too slowly, and `unavailable` if
   * other requests need the memory.
   */
  async read(): Promise<Uint8Array | null> {
    if (this.#reader === null) return null
    const maxWaitMs = GRACE_MS + (this.#size / MIN_BYTES_PER_SECOND) * 1000 - this.#waitedMs
    if (maxWaitMs <= 0) throw new AppError('bad_request', 'The upload was too slow', { nextStep: SEND_AGAIN })
    const chunkBytes = getChunkBytes(this.#size)
    await this.#reserve(chunkBytes)
    const startedAt = this.#clock()
    const chunk = await this.#readWithin(Math.min(maxWaitMs, this.#maxPauseMs), chunkBytes)
    this.#waitedMs += this.#clock() - startedAt
    this.#size += chunk?.byteLength ?? 0
    return chunk
  }

  async #reserve(chunkBytes: number): Promise<void> {
    const getBytesInMemory = (size: number) => Math.min(size, this.#maxBytes) + BUFFERS * getChunkBytes(size)
    const bytes = getBytesInMemory(this.#size + chunkBytes)
    const atLast = getBytesInMemory(this.#announcedBytes ?? this.#maxBytes)
    await this.#memory.transfer(bytes, Math.max(0, atLast - bytes))
  }

  async #readWithin(milliseconds: number, chunkBytes: number): Promise<Uint8Array | null> {
    let timer: ReturnType<typeof setTimeout> | null = null
    const pause = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`nothing for ${milliseconds} ms`)), milliseconds)
      this.#memory.waitForClient(reject)
    })
    let chunk: Uint8Array | null = null
    try {
      this.#isReading = true
      chunk = await Promise.race([this.#reader?.read(chunkBytes) ?? null, pause])
      this.#isReading = false
      return chunk
    } catch (error) {
      throw interrupted(error)
    } finally {
      clearTimeout(timer)
      this.#memory.stopWaiting(chunk?.byteLength ?? 0)
    }
  }

  /** Reads on without keeping anything. */
  async discard(maxBytes: number): Promise<void> {
    this.limit(0)
    this.#memory.discard()
    while (this.#size < maxBytes) {
      const chunk = await this.read().catch(() => null)
      if (chunk === null) return
    }
  }

  /** Leaves the rest unread. Canceling it would end the connection of a local server before its answer. */
  release(): void {
    if (this.#isReading) this.#reader?.cancel().catch(() => {})
    else this.#reader?.release()
  }
}

/** Keeps bytes in chunks, so that they are never copied to grow. Its user checks the size. */
export class ByteCollector {
  #chunks: Uint8Array<ArrayBuffer>[] = []
  /** How much of the last chunk is filled. */
  #filled = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Includes the room in the last chunk. */
  get bytesInMemory(): number {
    return this.#chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  add(added: Uint8Array): void {
    for (let rest = added; rest.byteLength > 0; ) {
      let last = this.#chunks.at(-1)
      if (last === undefined || this.#filled === last.byteLength) {
        last = new Uint8Array(getChunkBytes(this.#size))
        this.#chunks.push(last)
        this.#filled = 0
      }
      const part = rest.subarray(0, last.byteLength - this.#filled)
      last.set(part, this.#filled)
      this.#filled += part.byteLength
      this.#size += part.byteLength
      rest = rest.subarray(part.byteLength)
    }
  }

  clear(): void {
    this.#chunks = []
    this.#filled = 0
    this.#size = 0
  }

  /** Returns all bytes, and forgets them. */
  end(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#size)
    let at = 0
    for (const chunk of this.#chunks) {
      const part = chunk.subarray(0, this.#size - at)
      bytes.set(part, at)
      at += part.byteLength
    }
    this.clear()
    return bytes
  }
}

interface BodyLimit {
  /** Decides by the first bytes of the body. */
  readonly getMaxBytes: (start: Uint8Array) => number
  /** How much of a body that is too large is read: programs often report an early answer as a broken connection. */
  readonly maxDiscardedBytes?: number
  readonly memory: RequestMemory
}

/** @throws AppError `content_too_large`, `bad_request` for an upload that breaks off, and `unavailable`. */
export async function readBody(
  request: Request,
  { getMaxBytes, maxDiscardedBytes = 0, memory }: BodyLimit,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = new BodyChunks(request, { memory })
  const collected = new ByteCollector()
  try {
    let chunk = await chunks.read()
    const maxBytes = getMaxBytes(chunk ?? new Uint8Array())
    chunks.limit(maxBytes)
    const isTooLarge = () => Math.max(chunks.size, getAnnouncedBytes(request) ?? 0) > maxBytes
    for (; chunk !== null && !isTooLarge(); chunk = await chunks.read()) collected.add(chunk)
    if (isTooLarge()) {
      collected.clear()
      await chunks.discard(maxDiscardedBytes)
      throw contentTooLarge()
    }
    await memory.processArrived(collected.size)
    return collected.end()
  } finally {
    chunks.release()
  }
}

const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i

const URL_ENCODED = /^application\/x-www-form-urlencoded\b/i
const PLUS = 0x2b
const SPACE = 0x20

/** Writes a space for each plus, which means one. Node joins the text again at every plus, and a form may have millions. */
function spacePluses(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE
}

/**
 * Reads a form, so that handlers get it as usual. Other bodies aren't forms, and nothing reads them.
 *
 * @throws like `readBody`.
 */
export async function readForm(c: AppContext, maxBytes: number): Promise<Uint8Array> {
  // A route and the routes around it may have a limit each.
  const read = await c.req.bodyCache.arrayBuffer
  if (read) {
    if (read.byteLength > maxBytes) throw contentTooLarge()
    return new Uint8Array(read)
  }
  const contentType = c.req.header('Content-Type') ?? ''
  if (!FORM.test(contentType)) return new Uint8Array()
  const bytes = await readBody(c.req.raw, { getMaxBytes: () => maxBytes, memory: c.var.memory })
  if (URL_ENCODED.test(contentType)) spacePluses(bytes)
  // Hono parses what it finds here. A request with this body would hold a copy of it.
  c.req.bodyCache.arrayBuffer = bytes.buffer
  return bytes
}

export const limitBody = (maxBytes: number) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await readForm(c, maxBytes)
    await next()
  })
