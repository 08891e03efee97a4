import type { AppContext } from '../env.ts'

/** Node gives a header's value with a character for each byte, as the Fetch standard says. Workers decode UTF-8. */
const hasBytes = navigator.userAgent !== 'Cloudflare-Workers'

/** Returns a header that people may write any text into, such as a title or a password. */
export function readTextHeader(c: AppContext, name: string): string | undefined {
  const value = c.req.header(name)
  return value !== undefined && hasBytes
    ? new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0)))
    : value
}
