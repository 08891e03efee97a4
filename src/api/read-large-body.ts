import { contentTooLarge } from '../errors.ts'
import { BodyChunks } from '../http/read-body.ts'
import { type BodyLimits, BodyReader } from './body-reader.ts'

interface LargeBodyLimits extends BodyLimits {
  /** Bytes of the body as sent. */
  readonly maxBodyBytes: number
}

/**
 * Reads a JSON body of any length. Refuses it as soon as it is too large.
 *
 * @throws AppError `content_too_large`, and `bad_request` for bytes that aren't UTF-8, text that isn't JSON, and an
 * upload that breaks off.
 */
export async function readLargeBody(
  request: Request,
  { maxBodyBytes, ...limits }: LargeBodyLimits,
): Promise<unknown> {
  const reader = new BodyReader(limits)
  const chunks = new BodyChunks(request)
  let size = 0
  try {
    for (let chunk = await chunks.read(); chunk !== null; chunk = await chunks.read()) {
      size += chunk.byteLength
      if (size > maxBodyBytes) throw contentTooLarge()
      reader.push(chunk)
    }
  } catch (error) {
    chunks.cancel()
    throw error
  }
  return reader.end()
}
