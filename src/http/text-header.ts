import type { AppContext } from '../env.ts'
import { decodeHeader } from '../platform/headers.ts'

/** Returns a header that people may write any text into, such as a title or a password. */
export function readTextHeader(c: AppContext, name: string): string | undefined {
  const value = c.req.header(name)
  return value === undefined ? undefined : decodeHeader(value)
}
