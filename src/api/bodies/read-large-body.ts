import { contentTooLarge } from '../../errors.ts'
import { BodyChunks } from '../../http/bodies/read-body.ts'
import type { RequestMemory } from '../../platform/request-memory.ts'
import { type BodyLimits, BodyReader } from './body-reader.ts'

interface LargeBodyLimits extends BodyLimits {
  /** Bytes of the body as sent. */
  readonly maxBodyBytes: number
  readonly memory: RequestMemory
}

/**
 * Reads a JSON body of any length. Keeps nothing of it once it is too large.
 *
 * @throws AppError `content_too_large`, and `bad_request` for bytes that aren't UTF-8, text that isn't JSON, and an
 * upload that breaks off, `unavailable` if other requests need the memory.
 */
export async function readLargeBody(
  request: Request,
  { maxBodyBytes, memory, ...limits }: LargeBodyLimits,
): Promise<unknown> {
  const reader = new BodyReader(limits)
  const chunks = new BodyChunks(request)
  const arriving = memory.receive(Math.min(limits.announcedBytes ?? maxBodyBytes, limits.maxContentBytes))
  let size = 0
  try {
    for (let chunk = await chunks.read(); chunk !== null; chunk = await chunks.read()) {
      size += chunk.byteLength
      if (size > maxBodyBytes) throw contentTooLarge()
      await arriving.count(chunk)
      reader.push(chunk)
    }
    await arriving.finish()
    return reader.end()
  } catch (error) {
    arriving.release()
    // A program that gets an answer while it's still sending a long text often reports a broken connection instead.
    if (reader.isInContent) await chunks.discard(maxBodyBytes - size)
    throw error
  } finally {
    arriving.release()
    chunks.cancel()
  }
}
