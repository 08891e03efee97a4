import { contentTooLarge } from '../errors.ts'
import { BodyChunks, ByteCollector } from '../http/bodies.ts'
import type { RequestMemory } from '../platform/request-memory.ts'
import { generateSlot } from '../platform/streaming.ts'
import { encodeText } from '../shared/encodings.ts'
import { MAX_FILES } from '../shared/txtar.ts'
import { notJson, notUtf8, parseJsonBytes, refuseUtf16 } from './parse-json.ts'

const createDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The longest escape is `\uXXXX`. */
const ESCAPE_BYTES = 6

/** Decoded and counted chunk by chunk, so the text never takes more memory than it has bytes. */
class ContentString {
  readonly #getMaxBytes: () => number
  readonly #bytes = new ByteCollector()
  #decoder = createDecoder()
  #isEscaped = false
  /** The number of bytes since the last escape began, and with it. */
  #sinceEscape = ESCAPE_BYTES
  /** An escape that the next chunk may go on with. */
  #held = new Uint8Array()
  /** Half of a surrogate pair that the next chunk may go on with. */
  #high = ''
  #lone: { readonly unit: string; readonly at: number } | null = null

  constructor(getMaxBytes: () => number) {
    this.#getMaxBytes = getMaxBytes
  }

  get size(): number {
    return this.#bytes.size
  }

  /** The end of the string, after its quotation mark; null if it goes on in the next chunk. */
  read(chunk: Uint8Array, start: number): number | null {
    let [at, isEscaped, sinceEscape] = [start, this.#isEscaped, this.#sinceEscape]
    for (; at < chunk.length && (isEscaped || chunk[at] !== QUOTE); at++) {
      isEscaped = !isEscaped && chunk[at] === BACKSLASH
      sinceEscape = isEscaped ? 1 : sinceEscape + 1
    }
    this.#isEscaped = isEscaped
    this.#sinceEscape = sinceEscape
    const isEnd = at < chunk.length
    this.#add(chunk.subarray(start, at), isEnd)
    return isEnd ? at + 1 : null
  }

  /** All lone surrogates but the first become U+FFFD. */
  toText(): string {
    const bytes = this.#bytes.end()
    if (this.#lone === null) return createDecoder().decode(bytes)
    const { unit, at } = this.#lone
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    return createDecoder().decode(before) + unit + createDecoder().decode(after).slice(1)
  }

  reset(): void {
    this.#bytes.clear()
    this.#sinceEscape = ESCAPE_BYTES
    this.#lone = null
  }

  #add(added: Uint8Array, isEnd: boolean): void {
    const bytes = new Uint8Array(this.#held.length + added.length)
    bytes.set(this.#held)
    bytes.set(added, this.#held.length)
    const end = bytes.length - (isEnd || this.#sinceEscape >= ESCAPE_BYTES ? 0 : this.#sinceEscape)
    this.#held = bytes.slice(end)
    const text = this.#high + this.#parse(bytes.subarray(0, end), isEnd)
    const whole = isEnd ? text : text.replace(/[\uD800-\uDBFF]$/, '')
    this.#high = text.slice(whole.length)
    const encoded = encodeText(whole)
    if (encoded.length > this.#getMaxBytes()) throw contentTooLarge()
    const lone = whole.isWellFormed() ? -1 : whole.search(/\p{Surrogate}/u)
    if (lone !== -1) {
      const at = this.#bytes.size + encodeText(whole.slice(0, lone)).length
      this.#lone ??= { unit: whole.charAt(lone), at }
    }
    this.#bytes.add(encoded)
  }

  #parse(bytes: Uint8Array, isEnd: boolean): string {
    let json: string
    try {
      json = this.#decoder.decode(bytes, { stream: !isEnd })
    } catch {
      throw notUtf8()
    }
    try {
      return JSON.parse(`"${json}"`)
    } catch {
      throw notJson()
    }
  }
}

const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

const INITIAL_REST_BYTES = 1024

export interface BodyLimits {
  readonly maxContentBytes: number
  readonly maxOtherBytes: number
}

/** The places of `content`: in the body itself, and in each of its `files`. */
const BODY_DEPTH = 1
const FILE_DEPTH = 3

/**
 * The strings in the members `content`, of the body and of its files, are decoded and counted chunk by chunk; everything else is
 * small and goes to `JSON.parse`. So the memory that a body takes is bounded before it is used: 64 KiB of anything can't be nested deeply
 * or have many members.
 */
export class BodyReader {
  readonly #limits: BodyLimits
  /** The body with a mark in place of each content. */
  #rest = new Uint8Array(INITIAL_REST_BYTES)
  #restSize = 0
  readonly #mark = generateSlot()
  #markBytes = 0
  /** The first is that of the body. */
  readonly #contents: ContentString[] = [this.#createContent()]
  #content: ContentString | null = null
  #state: 'between' | 'string' | 'escape' | 'content' = 'between'
  #depth = 0
  #isObject = false
  #stringStart = 0
  /** How much of `"content":` has been read. */
  #member: 'none' | 'name' | 'colon' = 'none'

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** @throws AppError `content_too_large`, and `bad_request` for content that isn't JSON. */
  push(chunk: Uint8Array): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#state === 'content') {
        const end = this.#content?.read(chunk, at) ?? null
        if (end === null) return
        at = end
        this.#endContent()
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
    // Content that was cut off isn't read here, because the rest wouldn't be JSON. The last of several members with the same
    // name counts. It may be something other than a string.
    return parseJsonBytes(this.#rest.subarray(0, this.#restSize), (name, value) =>
      name === 'content' && typeof value === 'string' && value.startsWith(this.#mark)
        ? this.#contents[Number(value.slice(this.#mark.length))]?.toText()
        : value,
    )
  }

  get isInContent(): boolean {
    return this.#state === 'content'
  }

  #keep(byte: number): void {
    if (this.#restSize - this.#markBytes === this.#limits.maxOtherBytes) throw contentTooLarge()
    if (this.#restSize === this.#rest.length) {
      const grown = new Uint8Array(2 * this.#rest.length)
      grown.set(this.#rest)
      this.#rest = grown
    }
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
    const mayHaveContent =
      this.#depth === BODY_DEPTH || (this.#depth === FILE_DEPTH && this.#contents.length <= MAX_FILES)
    const isName = mayHaveContent && this.#isObject && this.#isContent()
    this.#member = isName ? 'name' : 'none'
  }

  /** Creates a string that may take the bytes that the others leave: all contents together may have `maxContentBytes`. */
  #createContent(): ContentString {
    return new ContentString(
      () => this.#limits.maxContentBytes - this.#contents.reduce((sum, { size }) => sum + size, 0),
    )
  }

  #startContent(): void {
    if (this.#depth === BODY_DEPTH) {
      // An earlier member with the same name doesn't count, but has to be valid.
      this.#contents[0]?.reset()
      this.#content = this.#contents[0] ?? null
    } else {
      this.#content = this.#createContent()
      this.#contents.push(this.#content)
    }
    this.#member = 'none'
    this.#state = 'content'
  }

  #endContent(): void {
    const index = this.#content === this.#contents[0] ? 0 : this.#contents.length - 1
    const mark = encodeText(`${this.#mark}${index}`)
    this.#markBytes += mark.length
    for (const byte of mark) this.#keep(byte)
    this.#state = 'between'
    this.#keep(QUOTE)
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
  const chunks = new BodyChunks(request, { memory, maxBytes: limits.maxContentBytes + limits.maxOtherBytes })
  try {
    let isFirst = true
    for (let chunk = await chunks.read(); chunk !== null; chunk = await chunks.read()) {
      if (isFirst) refuseUtf16(chunk)
      isFirst = false
      if (chunks.size > maxBodyBytes) throw contentTooLarge()
      reader.push(chunk)
    }
    await memory.processArrived(Math.min(chunks.size, limits.maxContentBytes))
    return reader.end()
  } catch (error) {
    // A program that gets an answer while it's still sending a long text often reports a broken connection instead.
    if (reader.isInContent) await chunks.discard(maxBodyBytes)
    throw error
  } finally {
    chunks.release()
  }
}
