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

/** Finds where lines start with the boundary: each of them starts a part, or ends the form. */
function* findDelimiters(bytes: Uint8Array, contentType: string): Generator<number> {
  const boundary = findBoundary(contentType)
  if (!boundary) throw unreadableForm()
  const delimiter = encodeText(`--${boundary}`)
  const startsAt = (line: number): boolean => {
    let matched = 0
    while (matched < delimiter.length && bytes[line + matched] === delimiter[matched]) matched += 1
    return matched === delimiter.length
  }
  let line = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LINE_FEED) line = at + 1
    else if (at - line === delimiter.length - 1 && startsAt(line)) yield line
    else if (at - line === delimiter.length + 64) {
      // A call for each of millions of short lines would take much time.
      line = findNextLine(bytes, at)
      if (line === -1) return
      at = line - 1
    }
  }
}

/** The headers of a part name a file, which takes a kilobyte at the most. Longer ones would take much time and memory. */
const MAX_PART_HEADER_BYTES = 64 * 1024

/**
 * Returns where the empty line is that ends the headers of a part, or -1.
 *
 * @throws AppError `bad_request` for headers that are too long.
 */
function findHeadersEnd(bytes: Uint8Array, start: number): number {
  const max = start + MAX_PART_HEADER_BYTES
  // In this encoding, each byte is a character.
  const end = new TextDecoder('latin1').decode(bytes.subarray(start, max)).search(/(?<=\n)\r?\n/)
  if (end === -1 && bytes.length > max) throw unreadableForm()
  return end === -1 ? -1 : start + end
}

const UNQUOTED_NAME = /(;\s*(?:file)?name)=([^\s";]+)/gi

/**
 * Quotes the names in the headers of a form's parts. The runtime needs that, and .NET doesn't do it: `name=content`.
 *
 * @throws AppError `bad_request` for headers that are too long.
 */
export function quoteNames(bytes: Uint8Array<ArrayBuffer>, contentType: string): Blob {
  const pieces: (Uint8Array<ArrayBuffer> | string)[] = []
  let copied = 0
  for (const start of findDelimiters(bytes, contentType)) {
    const end = findHeadersEnd(bytes, start)
    if (end === -1) break
    const headers = new TextDecoder().decode(bytes.subarray(start, end))
    pieces.push(bytes.subarray(copied, start), headers.replace(UNQUOTED_NAME, '$1="$2"'))
    copied = end
  }
  return new Blob([...pieces, bytes.subarray(copied)])
}

/** @throws AppError `bad_request` for a URL-encoded form with too many fields. */
export function requireFewPairs(bytes: Uint8Array): void {
  let count = 0
  for (let at = bytes.indexOf(AMPERSAND); at !== -1; at = bytes.indexOf(AMPERSAND, at + 1)) {
    count += 1
    if (count > MAX_FIELDS) throw unreadableForm()
  }
}

/** @throws AppError `bad_request` for a multipart form with too many parts, or too long headers of one. */
export function requireFewParts(bytes: Uint8Array, contentType: string): void {
  let count = 0
  for (const start of findDelimiters(bytes, contentType)) {
    count += 1
    // The last one ends the form.
    if (count > MAX_FIELDS + 1) throw unreadableForm()
    findHeadersEnd(bytes, start)
  }
}

/** @throws like `readForm`, and AppError `bad_request` for too many fields. */
export async function limitContentForm(c: AppContext, { maxBytes }: { maxBytes: number }): Promise<void> {
  const contentType = c.req.header('Content-Type') ?? ''
  const bytes = await readForm(c, maxBytes)
  if (/^multipart\/form-data\b/i.test(contentType)) requireFewParts(bytes, contentType)
  else requireFewPairs(bytes)
}
