import { encodeText as encode } from './encodings.ts'

/*
 * `replaceAll` takes 200 ns and dozens of bytes for each match, and a text may have ten million. These change the bytes of
 * a text, of which only ASCII is looked at, and take the same for any text. Half a surrogate pair becomes U+FFFD.
 */

const SLICE_CHARACTERS = 64 * 1024

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** Puts a text in the place of a character of ASCII. */
export function replaceCharacter(text: string, character: string, replacement: string): string {
  if (!text.includes(character)) return text
  const [byte, bytes, written] = [character.charCodeAt(0), encode(text), encode(replacement)]
  // Loops with `of` and callbacks take several times as long.
  let count = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === byte) count += 1
  const result = new Uint8Array(bytes.length + count * (written.length - 1))
  let size = 0
  for (let at = 0; at < bytes.length; at++) {
    const each = bytes[at] as number
    if (each !== byte) result[size++] = each
    else for (let part = 0; part < written.length; part++) result[size++] = written[part] as number
  }
  return decoder.decode(result)
}

/**
 * Changes a text slice by slice, since each match takes dozens of bytes while a replacement runs, and V8 keeps the parts of
 * what it returns, which take as much, until somebody looks into it.
 *
 * @param findEnd returns where a slice may end at or after an index, or -1 for the end of the text.
 */
export function rewriteSlices(
  text: string,
  findEnd: (from: number) => number,
  rewrite: (slice: string) => string,
): string {
  const slices: string[] = []
  for (let start = 0, end = 0; start < text.length; start = end) {
    const found = findEnd(start + SLICE_CHARACTERS)
    end = found === -1 ? text.length : found
    const slice = text.slice(start, end)
    const rewritten = rewrite(slice)
    // Decoding leaves no parts.
    slices.push(rewritten === slice ? slice : decoder.decode(encode(rewritten)))
  }
  return slices.join('')
}

/** Asks for each byte and the next one whether it's left out: only bytes of ASCII may be. */
export function leaveOut(
  text: string,
  isLeftOut: (byte: number, next: number | undefined) => boolean,
): string {
  const bytes = encode(text)
  let size = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (!isLeftOut(byte, bytes[at + 1])) bytes[size++] = byte
  }
  return size === bytes.length ? text : decoder.decode(bytes.subarray(0, size))
}
