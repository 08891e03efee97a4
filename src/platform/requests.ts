import type { HonoRequest } from 'hono'

/** Where requests on Workers and those of Node's server differ. */

/** Node gives a header's value with a character for each byte, as the Fetch standard says. Workers decode UTF-8. */
const hasBytes = navigator.userAgent !== 'Cloudflare-Workers'

/** Returns a header that people may write any text into, such as a title or a password. */
export function readTextHeader(request: HonoRequest, name: string): string | undefined {
  const value = request.header(name)
  return value !== undefined && hasBytes
    ? new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0)))
    : value
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
