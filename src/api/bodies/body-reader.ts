import { contentTooLarge } from '../../errors.ts'
import { ContentString } from './content-string.ts'
import { parseJsonBytes } from './parse-json.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
/** The whitespace of JSON: space, tab, line feed and carriage return. */
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

export interface BodyLimits {
  /** Bytes of the body's `content`, decoded. */
  readonly maxContentBytes: number
  /** Bytes of everything else in the body, as sent. */
  readonly maxOtherBytes: number
  /** The length of the body, if the client announced it. */
  readonly announcedBytes: number | null
}

/** Memory to start with for content of unknown length. */
const INITIAL_BYTES = 64 * 1024

/**
 * Parses a JSON body while it arrives. The string in its member `content` is decoded and counted chunk by chunk;
 * everything else is small and goes to `JSON.parse`. So the memory that a body takes is bounded before it is used:
 * 64 KiB of anything can't be nested deeply or have many members. The result is that of `JSON.parse`.
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
  /** Where the string that is read starts in the rest. */
  #stringStart = 0
  /** How much of `"content":` has been read in the outermost object. */
  #member: 'none' | 'name' | 'colon' = 'none'

  constructor(limits: BodyLimits) {
    this.#limits = limits
    this.#rest = new Uint8Array(limits.maxOtherBytes)
  }

  /**
   * Reads the next chunk.
   *
   * @throws AppError `content_too_large`, and `bad_request` for content that isn't JSON.
   */
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

  /**
   * Returns the body.
   *
   * @throws AppError `bad_request` for a body that isn't UTF-8 or JSON.
   */
  end(): unknown {
    const body = parseJsonBytes(this.#rest.subarray(0, this.#restSize))
    // Content that was cut off isn't read here, because the rest wouldn't be JSON.
    const content = this.#content?.toText()
    // The last of several members with the same name counts. It may be something other than a string.
    if (content !== undefined && hasContent(body)) body.content = content
    return body
  }

  /** Whether the content hasn't ended yet. */
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

  /** Returns true if the string that has just been read says `content`, with or without escapes. */
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
