import { yieldToPage } from '../shared/yield.ts'
import { SaveError } from './save-errors.ts'

const MIB = 1024 * 1024

/** @example "10 MiB", "1.5 MiB", "65,536 bytes" */
export const formatLimit = (bytes: number): string =>
  bytes >= MIB ? `${Math.floor((bytes / MIB) * 10) / 10} MiB` : `${bytes.toLocaleString('en')} bytes`

export async function requireContent(text: string, maxContentBytes: number): Promise<string> {
  if (text === '') throw new SaveError('Write something first.', 'content')
  if (!text.isWellFormed()) {
    throw new SaveError('The text contains an invalid character. Remove it, then try again.', 'content')
  }
  await yieldToPage()
  // A UTF-16 code unit takes at least one byte of UTF-8, so most oversized texts needn't be encoded.
  const tooLarge =
    text.length > maxContentBytes || new TextEncoder().encode(text).byteLength > maxContentBytes
  if (tooLarge) {
    throw new SaveError(`The text is too large. The limit is ${formatLimit(maxContentBytes)}.`, 'content')
  }
  return text
}

/** Keeps a byte order mark. */
export async function readTextFile(file: File, maxContentBytes: number): Promise<string> {
  const refuse = (reason: string) => new SaveError(`Can’t open “${file.name}”: ${reason}`, 'content')
  if (file.size > maxContentBytes) throw refuse(`it’s larger than ${formatLimit(maxContentBytes)}.`)
  if (file.type.startsWith('image/') && file.type !== 'image/svg+xml')
    throw refuse('it’s an image, and Regent stores text only.')
  const bytes = await file.arrayBuffer().catch(() => {
    throw refuse('your browser couldn’t read it.')
  })
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Not UTF-8: refused below, as is a file with NUL bytes.
  }
  throw refuse('it isn’t a text file (UTF-8).')
}
