/** A text that was decoded, and what its bytes were. */
export interface DecodedText {
  readonly text: string
  /** Is null for UTF-8, which is kept as it is, byte order mark included. */
  readonly convertedFrom: 'UTF-16LE' | 'UTF-16BE' | null
}

/** For those whose text is in another encoding, which nothing in its bytes declares. */
export const CONVERT_COMMAND = 'iconv -f ISO-8859-1 -t UTF-8'

/** By the byte order mark. No UTF-8 starts like one of UTF-16. */
export function detectUtf16([first, second]: Uint8Array): DecodedText['convertedFrom'] {
  if (first === 0xff && second === 0xfe) return 'UTF-16LE'
  return first === 0xfe && second === 0xff ? 'UTF-16BE' : null
}

/** @throws TypeError for bytes that are neither UTF-8 nor UTF-16 with a byte order mark, which isn't kept. */
export function decodeBytes(bytes: Uint8Array): DecodedText {
  const convertedFrom = detectUtf16(bytes)
  const decoder = new TextDecoder(convertedFrom ?? 'utf-8', {
    fatal: true,
    ignoreBOM: convertedFrom === null,
  })
  return { text: decoder.decode(bytes), convertedFrom }
}
