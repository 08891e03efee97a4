import * as base64url from 'jose/base64url'
import { encodeText } from './encodings.ts'

export const encodeBase64Url = base64url.encode

// Not every runtime has `toHex` and `fromHex` yet.
export const encodeHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const decodeHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
  )

export async function sha256(data: string | Parameters<typeof crypto.subtle.digest>[1]): Promise<string> {
  const bytes = typeof data === 'string' ? encodeText(data) : data
  return encodeBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** Is only for generated secrets, with at least 190 random bits: they need neither salt nor stretching. */
export const hashSecret = (secret: string): Promise<string> => sha256(secret)

/** Imports the key once, for signing many texts. */
export async function createSigner(key: string) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', encodeText(key), algorithm, false, ['sign'])
  return async (text: string): Promise<string> =>
    encodeBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', imported, encodeText(text))))
}

export const signText = async (key: string, text: string): Promise<string> => (await createSigner(key))(text)

export type TombstoneKind = 'account' | 'document'

/** Hashes the id of something that was deleted. Short ids can be found by trying all of them. */
export const hashTombstone = (kind: TombstoneKind, id: string): Promise<string> => sha256(`${kind}:${id}`)

/**
 * Hashes by FNV-1a with 32 bits, which no secret may depend on. It must never change: generated account pictures are cached
 * forever.
 */
export function hashQuickly(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0
  }
  return value
}
