import { contentTooLarge } from '../errors.ts'
import { BodyChunks } from '../http/bodies.ts'
import type { RequestMemory } from '../platform/memory.ts'
import { notJson, notUtf8, parseJsonBytes, refuseUtf16 } from './json-bodies.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** An escape that ends in a chunk may have started in an earlier one, with a surrogate before it. */
const MAX_PENDING_BYTES = 8

/** Matches a surrogate without its other half. */
const LONE = /\p{Surrogate}/u

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  const joined = new Uint8Array(one.length + other.length)
  joined.set(one)
  joined.set(other, one.length)
  return joined
}

/** Returns where the quotation mark at the end is, or the length; and where the last escape started, or -1. */
function findEnd(bytes: Uint8Array): { end: number; lastEscape: number } {
  let lastEscape = -1
  let end = 0
  for (; end < bytes.length && bytes[end] !== QUOTE; end++) {
    if (bytes[end] === BACKSLASH) {
      lastEscape = end
      end += 1
    }
  }
  return { end: Math.min(end, bytes.length), lastEscape }
}

/** Each chunk is decoded and counted as it arrives, so the text never takes more memory than it has bytes. */
class ContentString {
  readonly #maxBytes: number
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #bytes: Uint8Array
  #size = 0
  /** An escape that goes on in the next chunk. */
  #pending: Uint8Array = new Uint8Array()
  /** The first half of a pair, or empty. */
  #high = ''
  #lone: { readonly unit: string; readonly at: number } | null = null

  constructor(maxBytes: number, expectedBytes: number) {
    this.#maxBytes = maxBytes
    this.#bytes = new Uint8Array(expectedBytes)
  }

  /** Where the string ends, after its quotation mark; null if it goes on in the next chunk. */
  read(chunk: Uint8Array, start: number): number | null {
    const carried = this.#pending.length
    const bytes = carried === 0 ? chunk.subarray(start) : concat(this.#pending, chunk.subarray(start))
    const { end, lastEscape } = findEnd(bytes)
    const isLast = end < bytes.length
    const escapeBytes = bytes[lastEscape + 1] === LETTER_U ? 6 : 2
    const isCut = !isLast && lastEscape !== -1 && lastEscape + escapeBytes > bytes.length
    const complete = bytes.subarray(0, isCut ? lastEscape : end)
    // The memory of the chunk is used again.
    this.#pending = isCut ? bytes.slice(lastEscape) : new Uint8Array()
    this.#write(complete, isLast)
    return isLast ? start + end + 1 - carried : null
  }

  /** All lone surrogates but the first become U+FFFD. */
  toText(): string {
    const bytes = this.#bytes.subarray(0, this.#size)
    if (this.#lone === null) return decoder.decode(bytes)
    const { unit, at } = this.#lone
    return decoder.decode(bytes.subarray(0, at)) + unit + decoder.decode(bytes.subarray(at)).slice(1)
  }

  reset(): void {
    this.#size = 0
    this.#lone = null
  }

  #write(json: Uint8Array, isLast: boolean): void {
    const text = this.#high + this.#parse(json, isLast)
    const isHalf = !isLast && /[\uD800-\uDBFF]$/.test(text.slice(-1))
    this.#high = isHalf ? text.slice(-1) : ''
    const whole = isHalf ? text.slice(0, -1) : text
    if (this.#lone === null && !whole.isWellFormed()) {
      const index = whole.search(LONE)
      const at = this.#size + encoder.encode(whole.slice(0, index)).length
      this.#lone = { unit: whole.charAt(index), at }
    }
    // No byte of JSON becomes more than one byte of text.
    this.#reserve(json.length + MAX_PENDING_BYTES)
    this.#size += encoder.encodeInto(whole, this.#bytes.subarray(this.#size)).written
    if (this.#size > this.#maxBytes) throw contentTooLarge()
  }

  #parse(json: Uint8Array, isLast: boolean): string {
    let text: string
    try {
      text = this.#decoder.decode(json, { stream: !isLast })
    } catch {
      throw notUtf8()
    }
    try {
      return JSON.parse(`"${text}"`)
    } catch {
      throw notJson()
    }
  }

  #reserve(count: number): void {
    const needed = this.#size + count
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, Math.min(2 * this.#bytes.length, this.#maxBytes + count)))
    grown.set(this.#bytes.subarray(0, this.#size))
    this.#bytes = grown
  }
}

const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

export interface BodyLimits {
  readonly maxContentBytes: number
  readonly maxOtherBytes: number
  readonly announcedBytes: number | null
}

const INITIAL_BYTES = 64 * 1024

/**
 * The string in the member `content` is decoded and counted chunk by chunk; everything else is small and goes to
 * `JSON.parse`. So the memory that a body takes is bounded before it is used: 64 KiB of anything can't be nested deeply
 * or have many members.
 */
export class BodyReader {
  readonly #limits: BodyLimits
  /** The body with an empty string in place of its content. */
  readonly #rest: Uint8Array
  #restSize = 0
  #content: ContentString | null = null
  #state: 'between' | 'string' | 'escape' | 'content' = 'between'
  #depth = 0
  #isObject = false
  #stringStart = 0
  /** How much of `"content":` has been read in the outermost object. */
  #member: 'none' | 'name' | 'colon' = 'none'

  constructor(limits: BodyLimits) {
    this.#limits = limits
    this.#rest = new Uint8Array(limits.maxOtherBytes)
  }

  /** @throws AppError `content_too_large`, and `bad_request` for content that isn't JSON. */
  push(chunk: Uint8Array): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#state === 'content') {
        const end = this.#content?.read(chunk, at) ?? null
        if (end === null) return
        at = end
        this.#state = 'between'
        this.#keep(QUOTE)
      } else {
        const byte = chunk[at] as number
        at += 1
        this.#keep(byte)
        this.#readByte(byte)
      }
    }
  }

  /** @throws AppError `bad_request` for a body that isn't UTF-8 or JSON. */
  end(): unknown {
    const body = parseJsonBytes(this.#rest.subarray(0, this.#restSize))
    // Content that was cut off isn't read here, because the rest wouldn't be JSON.
    const content = this.#content?.toText()
    // The last of several members with the same name counts. It may be something other than a string.
    if (content !== undefined && hasContent(body)) body.content = content
    return body
  }

  get isInContent(): boolean {
    return this.#state === 'content'
  }

  #keep(byte: number): void {
    if (this.#restSize === this.#rest.length) throw contentTooLarge()
    this.#rest[this.#restSize++] = byte
  }

  #readByte(byte: number): void {
    if (this.#state === 'escape') this.#state = 'string'
    else if (this.#state === 'string') {
      if (byte === BACKSLASH) this.#state = 'escape'
      else if (byte === QUOTE) this.#endString()
    } else if (byte === QUOTE) this.#startString()
    else this.#readBetween(byte)
  }

  #readBetween(byte: number): void {
    if (isSpace(byte)) return
    this.#member = this.#member === 'name' && byte === COLON ? 'colon' : 'none'
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (this.#depth === 0) this.#isObject = byte === OPEN_OBJECT
      this.#depth += 1
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth -= 1
  }

  #startString(): void {
    if (this.#member === 'colon') {
      this.#startContent()
      return
    }
    this.#stringStart = this.#restSize - 1
    this.#state = 'string'
  }

  #endString(): void {
    this.#state = 'between'
    const isName = this.#depth === 1 && this.#isObject && this.#isContent()
    this.#member = isName ? 'name' : 'none'
  }

  #startContent(): void {
    const { announcedBytes, maxContentBytes } = this.#limits
    // An earlier member with the same name doesn't count.
    this.#content?.reset()
    this.#content ??= new ContentString(
      maxContentBytes,
      Math.min(announcedBytes ?? INITIAL_BYTES, maxContentBytes),
    )
    this.#member = 'none'
    this.#state = 'content'
  }

  #isContent(): boolean {
    const name = new TextDecoder().decode(this.#rest.subarray(this.#stringStart, this.#restSize))
    if (!name.includes('\\')) return name === '"content"'
    try {
      return JSON.parse(name) === 'content'
    } catch {
      return false
    }
  }
}

const hasContent = (body: unknown): body is { content: string } =>
  typeof body === 'object' && body !== null && 'content' in body && typeof body.content === 'string'

interface LargeBodyLimits extends BodyLimits {
  readonly maxBodyBytes: number
  readonly memory: RequestMemory
}

/** @throws AppError `content_too_large`, and `bad_request`; `unavailable` if other requests need the memory. */
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
      if (size === 0) refuseUtf16(chunk)
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
    chunks.release()
  }
}
