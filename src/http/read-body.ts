import { AppError } from '../errors.ts'

/** Bytes read at once. The runtime's own chunks have 4 KiB, and asking for one takes longer than reading it. */
const CHUNK_BYTES = 64 * 1024

/** How long a client may pause. What it has sent until then takes memory. */
const MAX_PAUSE_MS = 30_000

const interrupted = (cause: unknown) => new AppError('bad_request', 'The upload was interrupted', { cause })

/** Returns the length that a request announces for its body; null if it announces none. */
export function getAnnouncedBytes({ headers }: Request): number | null {
  const length = headers.get('Content-Length')
  // With a transfer encoding, the length means nothing (RFC 9112 §6.3).
  return length !== null && /^\d{1,15}$/.test(length) && !headers.has('Transfer-Encoding')
    ? Number(length)
    : null
}

interface ChunkReader {
  /** Returns the next chunk, which is valid until the next call; null at the end. */
  readonly read: () => Promise<Uint8Array | null>
  readonly cancel: () => Promise<void>
}

/** Reads into the same memory again and again, where the stream can do that. */
function getChunkReader(body: ReadableStream<Uint8Array>): ChunkReader {
  let byteReader: ReadableStreamBYOBReader
  try {
    byteReader = body.getReader({ mode: 'byob' })
  } catch {
    // A stream that a test made. The bodies of requests from the network are streams of bytes.
    const reader = body.getReader()
    const read = async () => (await reader.read()).value ?? null
    return { read, cancel: () => reader.cancel() }
  }
  let buffer = new ArrayBuffer(CHUNK_BYTES)
  const read = async () => {
    const { done, value } = await byteReader.read(new Uint8Array(buffer))
    if (done) return null
    buffer = value.buffer
    return value
  }
  return { read, cancel: () => byteReader.cancel() }
}

/** The body of a request, chunk by chunk. */
export class BodyChunks {
  readonly #reader: ChunkReader | null
  readonly #maxPauseMs: number

  constructor({ body }: Request, maxPauseMs = MAX_PAUSE_MS) {
    this.#reader = body && getChunkReader(body)
    this.#maxPauseMs = maxPauseMs
  }

  /**
   * Returns the next chunk, which is valid until the next call; null at the end.
   *
   * @throws AppError `bad_request` if the client hangs up or pauses for too long.
   */
  async read(): Promise<Uint8Array | null> {
    if (this.#reader === null) return null
    let timer: ReturnType<typeof setTimeout> | null = null
    const pause = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`nothing for ${this.#maxPauseMs} ms`)), this.#maxPauseMs)
    })
    try {
      return await Promise.race([this.#reader.read(), pause])
    } catch (error) {
      throw interrupted(error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Refuses the rest of the body. */
  cancel(): void {
    this.#reader?.cancel().catch(() => {})
  }
}
