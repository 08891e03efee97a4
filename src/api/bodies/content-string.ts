import { contentTooLarge } from '../../errors.ts'
import { notJson, notUtf8 } from './unreadable-body.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** What the letter after a backslash stands for (RFC 8259 §7). */
const ESCAPED = new Map(
  [...'"\\/bfnrt'].map((letter, index) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(index)]),
)

/** The values of hexadecimal digits by their byte; 255 for every other byte. */
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

/**
 * The string of a JSON body that may be large. It arrives in chunks and is kept as the bytes of its text: escapes are
 * decoded and counted as they arrive, so a text never takes more memory than it has bytes.
 */
export class ContentString {
  readonly #maxBytes: number
  #bytes: Uint8Array
  #size = 0
  /** How many characters of an escape have been read. 0: not in an escape. */
  #escapeRead = 0
  /** The UTF-16 unit of an unfinished `\uXXXX`. */
  #unit = 0
  /** A high surrogate that waits for its other half; 0 if there is none. */
  #high = 0
  /** The first lone surrogate, and where its replacement is. */
  #lone: { readonly unit: number; readonly at: number } | null = null

  /**
   * @param maxBytes of the text in UTF-8.
   * @param expectedBytes how much memory to start with.
   */
  constructor(maxBytes: number, expectedBytes: number) {
    this.#maxBytes = maxBytes
    this.#bytes = new Uint8Array(expectedBytes)
  }

  /**
   * Reads the part of the string that a chunk has.
   *
   * @param start where the string starts or goes on.
   * @returns where it ends, after its quotation mark, or null if it goes on in the next chunk.
   * @throws AppError `content_too_large`, `bad_request` for an invalid escape or a control character.
   */
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

  /**
   * Returns the text. If it has lone surrogates, all but the first are replaced by U+FFFD.
   *
   * @throws AppError `bad_request` if it isn't UTF-8.
   */
  toText(): string {
    const bytes = this.#bytes.subarray(0, this.#size)
    if (this.#lone === null) return decode(bytes)
    const { unit, at } = this.#lone
    return decode(bytes.subarray(0, at)) + String.fromCharCode(unit) + decode(bytes.subarray(at)).slice(1)
  }

  /** Starts over with an empty string. Throws AppError `bad_request` if the string so far isn't UTF-8. */
  reset(): void {
    this.toText()
    this.#size = 0
    this.#lone = null
  }

  #checkSize(): void {
    if (this.#size > this.#maxBytes) throw contentTooLarge()
  }

  /** Makes room for this many more bytes. */
  #reserve(count: number): void {
    const needed = this.#size + count
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, Math.min(2 * this.#bytes.length, this.#maxBytes + count)))
    grown.set(this.#bytes.subarray(0, this.#size))
    this.#bytes = grown
  }

  /** Reads one character of an escape after its backslash. */
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

  /** Writes a UTF-16 unit that was escaped. */
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

  /** Writes a code point in UTF-8. */
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
