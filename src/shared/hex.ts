/* Not every runtime has these functions of `Uint8Array` yet. */

export const encodeHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const decodeHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
  )
