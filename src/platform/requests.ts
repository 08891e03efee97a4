import type { HonoRequest } from 'hono'
import { AppError } from '../errors.ts'

/** Where requests on Workers and those of Node's server differ. */

/** Node gives a header's value with a character for each byte, as the Fetch standard says. Workers decode UTF-8. */
const hasBytes = navigator.userAgent !== 'Cloudflare-Workers'

const decodeUtf8 = (bytes: string): string =>
  new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))

/**
 * Returns a header that people may write any text into, such as a title or a password.
 *
 * @throws AppError `bad_request` for other bytes than UTF-8, such as `fetch` and Python's `urllib` send for é: a password
 * would be another one than was sent.
 */
export function readTextHeader(request: HonoRequest, name: string): string | undefined {
  const sent = request.header(name)
  const value = sent !== undefined && hasBytes ? decodeUtf8(sent) : sent
  if (value?.includes('\uFFFD')) throw new AppError('bad_request', `The header ${name} isn't in UTF-8`)
  return value
}

/** A request from Node's server isn't one of its global class, and there a stream needs `duplex`, which Workers ignore. */
export function withBody(
  { url, method }: Request,
  headers: Headers,
  body: ReadableStream<Uint8Array>,
): Request {
  const init = { method, headers, body, duplex: 'half' }
  return new Request(url, init)
}
