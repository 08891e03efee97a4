import * as base64url from 'jose/base64url'
import { assertIterations, type JweHeader } from './jwe.ts'

const utf8 = new TextEncoder()

/** Separates the claim token from the key that the same password and salt derive (RFC 7518 §4.8.1.1). */
const CLAIM_LABEL = utf8.encode('regent-claim\0')

/**
 * Derives the token that proves the password of a JWE without revealing it: base64url of 32 bytes of
 * PBKDF2-HMAC-SHA-512 (RFC 8018 §5.2) of the password, with the salt `regent-claim` ‖ 0x00 ‖ p2s and the
 * iteration count of the JWE.
 */
export async function deriveClaimToken(password: string, header: JweHeader): Promise<string> {
  assertIterations(header.iterations)
  const salt = new Uint8Array(CLAIM_LABEL.byteLength + header.salt.byteLength)
  salt.set(CLAIM_LABEL)
  salt.set(header.salt, CLAIM_LABEL.byteLength)
  const key = await crypto.subtle.importKey('raw', utf8.encode(password), 'PBKDF2', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: header.iterations },
    key,
    256,
  )
  return base64url.encode(new Uint8Array(bits))
}

/** Returns what the service stores of a claim token: base64url of the SHA-256 of its characters. */
export async function hashClaimToken(token: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(token))))
}

/** Returns true if a string looks like a claim token or its hash: base64url of 32 bytes. */
export const isClaimString = (candidate: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(candidate)
