import type { AppContext } from '../env.ts'
import { unreadableForm } from '../errors.ts'
import { encodeText } from '../shared/encodings.ts'
import { readForm } from './bodies.ts'

/**
 * More fields than any form has: without scripts, a hundred files take three each. A field takes hundreds of bytes of
 * memory, and a body has room for millions.
 */
const MAX_FIELDS = 400

const AMPERSAND = 0x26
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

function hasMore(bytes: Uint8Array, byte: number, max: number): boolean {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) {
    count += 1
    if (count > max) return true
  }
  return false
}

const startsAt = (bytes: Uint8Array, at: number, part: Uint8Array): boolean =>
  part.every((byte, index) => bytes[at + index] === byte)

/** A part starts with a line that starts with the boundary. */
function hasMoreParts(bytes: Uint8Array, boundary: string, max: number): boolean {
  const delimiter = encodeText(`--${boundary}`)
  let count = startsAt(bytes, 0, delimiter) ? 1 : 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (startsAt(bytes, at + 1, delimiter)) count += 1
    // The last one ends the form.
    if (count > max + 1) return true
  }
  return false
}

const BOUNDARY = /boundary=(?:"([^"]*)"|([^\s;"]*))/gi

/** Returns null if the media type has no boundary, or several to choose from. */
function findBoundary(contentType: string): string | null {
  const [found, ...others] = contentType.matchAll(BOUNDARY)
  return (others.length === 0 && (found?.[1] ?? found?.[2])) || null
}

/** Returns where the next line starts, or -1. */
function findNextLine(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(LINE_FEED, at)
  return end === -1 ? -1 : end + 1
}

/** The headers of a part name a file, which takes a kilobyte at the most. Millions of names would take much memory. */
const MAX_PART_HEADER_BYTES = 64 * 1024

const UNQUOTED_NAME = /(;\s*(?:file)?name)=([^\s";]+)/gi

/**
 * Quotes the names in the headers of a form's parts. The runtime needs that, and .NET doesn't do it: `name=content`.
 *
 * @throws AppError `bad_request` for headers that are too long.
 */
export function quoteNames(bytes: Uint8Array<ArrayBuffer>, contentType: string): Blob {
  const delimiter = encodeText(`--${findBoundary(contentType)}`)
  const pieces: (Uint8Array<ArrayBuffer> | string)[] = []
  let copied = 0
  for (let line = 0; line !== -1; line = findNextLine(bytes, line)) {
    if (!startsAt(bytes, line, delimiter)) continue
    // An empty line ends the headers.
    let end = findNextLine(bytes, line)
    while (end !== -1 && bytes[end] !== CARRIAGE_RETURN) end = findNextLine(bytes, end)
    if (end === -1) break
    if (end - line > MAX_PART_HEADER_BYTES) throw unreadableForm()
    const headers = new TextDecoder().decode(bytes.subarray(line, end))
    pieces.push(bytes.subarray(copied, line), headers.replace(UNQUOTED_NAME, '$1="$2"'))
    copied = end
  }
  return new Blob([...pieces, bytes.subarray(copied)])
}

/** @throws AppError `bad_request` for a URL-encoded form with too many fields. */
export function requireFewPairs(bytes: Uint8Array): void {
  if (hasMore(bytes, AMPERSAND, MAX_FIELDS)) throw unreadableForm()
}

export function requireFewParts(bytes: Uint8Array, contentType: string): void {
  const boundary = findBoundary(contentType)
  if (!boundary || hasMoreParts(bytes, boundary, MAX_FIELDS)) throw unreadableForm()
}

/** @throws like `readForm`, and AppError `bad_request` for too many fields. */
export async function limitContentForm(c: AppContext, { maxBytes }: { maxBytes: number }): Promise<void> {
  const contentType = c.req.header('Content-Type') ?? ''
  const bytes = await readForm(c, maxBytes)
  if (/^multipart\/form-data\b/i.test(contentType)) requireFewParts(bytes, contentType)
  else requireFewPairs(bytes)
}
