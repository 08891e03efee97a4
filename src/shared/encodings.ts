const utf8 = new TextEncoder()

export const encodeText = (text: string) => utf8.encode(text)

/** A text that was decoded, and what its bytes were. */
export interface DecodedText {
  readonly text: string
  /** Is null for UTF-8, which is kept as it is, byte order mark included. */
  readonly convertedFrom: 'UTF-16LE' | 'UTF-16BE' | null
}

/** Helps people whose text is in another encoding, which nothing in its bytes declares. */
export const CONVERT_COMMAND = 'iconv -f ISO-8859-1 -t UTF-8'

const ARCHIVE_STARTS: readonly (readonly [format: string, offset: number, start: string])[] = [
  // The name of the first file is padded with NULs.
  ['tar', 257, 'ustar'],
  ['zip', 0, 'PK\x03\x04'],
  ['gzip', 0, '\x1f\x8b'],
  ['bzip2', 4, '1AY&SY'],
  ['xz', 0, '\xfd7zXZ'],
  ['zstd', 0, '\x28\xb5\x2f\xfd'],
]

/** Names the archive that the bytes are, or returns null. A tar of texts would be a text in UTF-8, with many NULs. */
export function findArchiveFormat(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, 512))
  const format = ARCHIVE_STARTS.find(([, offset, magic]) => start.startsWith(magic, offset))?.[0] ?? null
  return format !== 'tar' || start.lastIndexOf('\0', 257) !== -1 ? format : null
}

/** Goes by the byte order mark. No UTF-8 starts like one of UTF-16. */
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
