import type { AppContext } from '../env.ts'
import { AppError, contentTooLarge } from '../errors.ts'

/** The bytes of a body and its text are in memory together, and an isolate has 128 MiB. */
export const MAX_BODY_BYTES = 48 * 1024 * 1024

const interrupted = (cause: unknown) => new AppError('bad_request', 'The upload was interrupted', { cause })

/**
 * Reads a body that is too large to its end, unless that is far away, and keeps nothing of it. A program that gets an
 * answer while it's still sending often reports a broken connection in its place.
 */
async function discardRest(reader: ReadableStreamDefaultReader<Uint8Array>, size: number): Promise<void> {
  for (let read = size; read <= MAX_BODY_BYTES; ) {
    const { done, value } = await reader.read()
    if (done) return
    read += value.byteLength
  }
  await reader.cancel()
}

/**
 * Reads a body. Keeps nothing of it once it turns out to be too large.
 *
 * @param getLimit returns the number of bytes allowed, from the first bytes of the body.
 * @throws AppError `content_too_large`, and `bad_request` if the client hangs up before the end.
 */
export async function readBody(c: AppContext, getLimit: (start: Uint8Array) => number): Promise<Uint8Array> {
  const announced = Number(c.req.header('Content-Length') ?? 0)
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = (c.req.raw.body ?? new Blob([]).stream()).getReader()
  const read = () =>
    reader.read().catch((cause: unknown) => {
      throw interrupted(cause)
    })
  let limit: number | null = null
  for (let chunk = await read(); !chunk.done; chunk = await read()) {
    limit ??= getLimit(chunk.value)
    size += chunk.value.byteLength
    if (Math.max(size, announced) > limit) {
      await discardRest(reader, size).catch(() => {})
      throw contentTooLarge()
    }
    chunks.push(chunk.value)
  }
  return joinChunks(chunks, size)
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
