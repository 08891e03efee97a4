import * as base64url from 'jose/base64url'

/**
 * Returns the base64url SHA-256 of a secret that the service generated, which is all that is stored of it. Such a
 * secret has at least 190 random bits, so it needs neither salt nor stretching.
 */
export async function hashSecret(secret: string): Promise<string> {
  return base64url.encode(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))),
  )
}
