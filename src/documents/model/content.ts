import { contentTooLarge, invalidBody, issueAt } from '../../errors.ts'
import { JweError, type JweHeader, parseJwe } from '../../shared/jwe.ts'

/** A text that may be stored. */
interface PlainText {
  readonly kind: 'text'
  readonly text: string
  readonly bytes: Uint8Array
}

/** An envelope that a client made and that may be stored. */
interface SealedText {
  readonly kind: 'jwe'
  /** The JWE in compact form. */
  readonly text: string
  readonly header: JweHeader
  /** Bytes of the text inside. */
  readonly contentBytes: number
}

export type IncomingContent = PlainText | SealedText

const utf8 = new TextEncoder()

/**
 * Takes in a text.
 *
 * @throws AppError `content_too_large`, and `bad_request` at `content` for an empty text or a lone
 * surrogate, which UTF-8 can not hold.
 */
export function plainText(text: string, maxContentBytes: number): PlainText {
  // UTF-8 never takes fewer bytes than UTF-16 has units.
  if (text.length > maxContentBytes) throw contentTooLarge()
  if (text === '') throw invalidBody(issueAt(['content'], 'Must not be empty'))
  if (!text.isWellFormed()) {
    throw invalidBody(issueAt(['content'], 'Must be well-formed Unicode: it has a lone surrogate'))
  }
  const bytes = utf8.encode(text)
  if (bytes.byteLength > maxContentBytes) throw contentTooLarge()
  return { kind: 'text', text, bytes }
}

/**
 * Takes in an envelope.
 *
 * @throws AppError `content_too_large` for the text inside, and `bad_request` at `content` with the reason.
 */
export function sealedText(text: string, maxContentBytes: number): SealedText {
  try {
    const { header, contentBytes } = parseJwe(text)
    if (contentBytes > maxContentBytes) throw contentTooLarge()
    return { kind: 'jwe', text, header, contentBytes }
  } catch (error) {
    if (error instanceof JweError) throw invalidBody(issueAt(['content'], error.message))
    throw error
  }
}

// `ignoreBOM` keeps a byte order mark in the text: content comes back byte for byte.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of bytes that were stored or sealed as UTF-8. */
export const decodeText = (bytes: ArrayBuffer | Uint8Array): string => decoder.decode(bytes)

/** The bytes of a text that is known to be storable. */
export const encodeText = (text: string): Uint8Array => utf8.encode(text)
