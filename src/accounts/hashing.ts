import { base64url } from 'jose'

/**
 * What the service keeps of a secret that it drew itself: base64url of its SHA-256. Such a secret has
 * 190 random bits or more, so it needs no salt and no stretching.
 */
export async function hashSecret(secret: string): Promise<string> {
  return base64url.encode(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))),
  )
}
