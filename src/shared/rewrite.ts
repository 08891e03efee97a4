import { encodeText as encode } from './encodings.ts'

/*
 * `replaceAll` takes 200 ns and dozens of bytes for each match, and a text may have ten million. These change the bytes of
 * a text, of which only ASCII is looked at, and take the same for any text.
 */

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** Puts a text in the place of a character of ASCII. */
export function replaceCharacter(text: string, character: string, replacement: string): string {
  if (!text.includes(character)) return text
  const [byte, bytes, written] = [character.charCodeAt(0), encode(text), encode(replacement)]
  const count = bytes.reduce((sum, each) => (each === byte ? sum + 1 : sum), 0)
  const result = new Uint8Array(bytes.length + count * (written.length - 1))
  let at = 0
  for (const each of bytes) {
    if (each !== byte) result[at++] = each
    else for (const part of written) result[at++] = part
  }
  return decoder.decode(result)
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
