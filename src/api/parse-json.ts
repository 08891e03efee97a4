import { invalidBody, issueAt } from '../errors.ts'
import { detectUtf16 } from '../shared/encodings.ts'

export const notJson = () => invalidBody(issueAt([], 'The body is not JSON'))

export const notUtf8 = () => invalidBody(issueAt([], 'The body is not UTF-8: encode it as UTF-8'))

/** JSON starts with an ASCII character, which has a zero byte in UTF-16. A byte order mark may come first. */
const isUtf16 = (bytes: Uint8Array): boolean =>
  detectUtf16(bytes) !== null || bytes[0] === 0 || bytes[1] === 0

/** @throws AppError `bad_request`, which says more than that UTF-16 isn't JSON. */
export function refuseUtf16(bytes: Uint8Array): void {
  if (isUtf16(bytes))
    throw invalidBody(
      issueAt([], 'The body is UTF-16: encode it as UTF-8, or name its charset in Content-Type'),
    )
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** @throws AppError `bad_request` for bytes that aren't UTF-8 and text that isn't JSON. */
export function parseJsonBytes(
  bytes: Uint8Array,
  revive?: (name: string, value: unknown) => unknown,
): unknown {
  refuseUtf16(bytes)
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw notUtf8()
  }
  try {
    return JSON.parse(text, revive)
  } catch {
    throw notJson()
  }
}
