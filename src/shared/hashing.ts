import * as base64url from 'jose/base64url'

const utf8 = new TextEncoder()

/** Returns a SHA-256 in base64url. */
export async function sha256(data: string | Parameters<typeof crypto.subtle.digest>[1]): Promise<string> {
  const bytes = typeof data === 'string' ? utf8.encode(data) : data
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/**
 * Returns what is stored of a secret that the service generated, such as an API key or a document token. It has at least
 * 190 random bits, so it needs neither salt nor stretching.
 */
export const hashSecret = (secret: string): Promise<string> => sha256(secret)

/** Returns the HMAC-SHA-256 of a text in base64url, which can't be computed without the key. */
export async function signText(key: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', utf8.encode(key), algorithm, false, ['sign'])
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8.encode(text))))
}
