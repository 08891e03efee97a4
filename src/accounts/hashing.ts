import * as base64url from 'jose/base64url'
import { customAlphabet } from 'nanoid'

/** Generates the token of a session or a link: 190 random bits. */
export const generateToken = customAlphabet(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  32,
)

/**
 * Returns the base64url SHA-256 of a secret that the service generated, which is all that is stored of it. Such a
 * secret has at least 190 random bits, so it needs neither salt nor stretching.
 */
export async function hashSecret(secret: string): Promise<string> {
  return base64url.encode(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))),
  )
}

/** Returns the base64url HMAC-SHA-256 of a text, which only somebody with the key can compute. */
export async function signText(key: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign'])
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text))))
}
