import { contentTooLarge } from '../errors.ts'
import { BodyChunks } from '../http/bodies.ts'
import type { RequestMemory } from '../platform/memory.ts'
import { notJson, notUtf8, parseJsonBytes, refuseUtf16 } from './json-bodies.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** What the letter after a backslash stands for (RFC 8259 §7). */
const ESCAPED = new Map(
  [...'"\\/bfnrt'].map((letter, index) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(index)]),
)

/** 255: not a hexadecimal digit. */
const HEX = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(value) ? 255 : value
})

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Stands for a lone surrogate in UTF-8, which can't encode one, and takes as many bytes. */
const REPLACEMENT = 0xfffd

/** An escape that ends in a chunk may have started in an earlier one, with a surrogate before it. */
const MAX_PENDING_BYTES = 8

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw notUtf8()
  }
}

/** Escapes are decoded and counted as they arrive, so the text never takes more memory than it has bytes. */
class ContentString {
  readonly #maxBytes: number
  #bytes: Uint8Array
  #size = 0
  /** 0: not in an escape. */
  #escapeRead = 0
  /** The UTF-16 unit of an unfinished `\uXXXX`. */
  #unit = 0
  /** 0 if there is none. */
  #high = 0
  #lone: { readonly unit: number; readonly at: number } | null = null

  constructor(maxBytes: number, expectedBytes: number) {
    this.#maxBytes = maxBytes
    this.#bytes = new Uint8Array(expectedBytes)
  }

  /** Where the string ends, after its quotation mark; null if it goes on in the next chunk. */
  read(chunk: Uint8Array, start: number): number | null {
    const length = chunk.length
    // No byte of JSON becomes more than one byte of text.
    this.#reserve(length - start + MAX_PENDING_BYTES)
    const bytes = this.#bytes
    let size = this.#size
    let at = start
    while (at < length) {
      if (this.#escapeRead === 0) {
        let byte = chunk[at] as number
        if (byte !== BACKSLASH && this.#high !== 0) {
          this.#size = size
          this.#writeLone(this.#high)
          this.#high = 0
          size = this.#size
        }
        while (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) {
          bytes[size++] = byte
          at += 1
          if (at === length) break
          byte = chunk[at] as number
        }
        if (at === length) break
        at += 1
        if (byte === QUOTE) {
          this.#size = size
          this.#checkSize()
          return at
        }
        if (byte !== BACKSLASH) throw notJson()
        this.#escapeRead = 1
      } else {
        this.#size = size
        this.#readEscape(chunk[at] as number)
        size = this.#size
        at += 1
      }
    }
    this.#size = size
    this.#checkSize()
    return null
  }

  /** All lone surrogates but the first become U+FFFD. @throws AppError `bad_request` if the text isn't UTF-8. */
  toText(): string {
    const bytes = this.#bytes.subarray(0, this.#size)
    if (this.#lone === null) return decode(bytes)
    const { unit, at } = this.#lone
    return decode(bytes.subarray(0, at)) + String.fromCharCode(unit) + decode(bytes.subarray(at)).slice(1)
  }

  /** @throws AppError `bad_request` if the string so far isn't UTF-8. */
  reset(): void {
    this.toText()
    this.#size = 0
    this.#lone = null
  }

  #checkSize(): void {
    if (this.#size > this.#maxBytes) throw contentTooLarge()
  }

  #reserve(count: number): void {
    const needed = this.#size + count
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, Math.min(2 * this.#bytes.length, this.#maxBytes + count)))
    grown.set(this.#bytes.subarray(0, this.#size))
    this.#bytes = grown
  }

  #readEscape(byte: number): void {
    if (this.#escapeRead === 1) {
      if (byte === LETTER_U) {
        this.#escapeRead = 2
        this.#unit = 0
        return
      }
      const character = ESCAPED.get(byte)
      if (character === undefined) throw notJson()
      this.#writeUnit(character)
      this.#escapeRead = 0
      return
    }
    const digit = HEX[byte] as number
    if (digit === 255) throw notJson()
    this.#unit = (this.#unit << 4) | digit
    this.#escapeRead += 1
    if (this.#escapeRead < 6) return
    this.#writeUnit(this.#unit)
    this.#escapeRead = 0
  }

  #writeUnit(unit: number): void {
    const high = this.#high
    this.#high = 0
    if (high !== 0 && isLowSurrogate(unit)) {
      this.#write(0x1_0000 + ((high - 0xd800) << 10) + (unit - 0xdc00))
      return
    }
    if (high !== 0) this.#writeLone(high)
    if (isHighSurrogate(unit)) this.#high = unit
    else if (isLowSurrogate(unit)) this.#writeLone(unit)
    else this.#write(unit)
  }

  #writeLone(unit: number): void {
    this.#lone ??= { unit, at: this.#size }
    this.#write(REPLACEMENT)
  }

  #write(codePoint: number): void {
    const bytes = this.#bytes
    if (codePoint < 0x80) {
      bytes[this.#size++] = codePoint
      return
    }
    if (codePoint < 0x800) bytes[this.#size++] = 0xc0 | (codePoint >> 6)
    else {
      if (codePoint < 0x1_0000) bytes[this.#size++] = 0xe0 | (codePoint >> 12)
      else {
        bytes[this.#size++] = 0xf0 | (codePoint >> 18)
        bytes[this.#size++] = 0x80 | ((codePoint >> 12) & 0x3f)
      }
      bytes[this.#size++] = 0x80 | ((codePoint >> 6) & 0x3f)
    }
    bytes[this.#size++] = 0x80 | (codePoint & 0x3f)
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
    // An earlier member with the same name doesn't count, but has to be valid.
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
