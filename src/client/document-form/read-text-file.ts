import { formatLimit } from './content-limits.ts'
import { SaveError } from './save-error.ts'

/** Returns the text of a file, byte order mark included. Throws a SaveError if it's too large or isn't UTF-8 text. */
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
