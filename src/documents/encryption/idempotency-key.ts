import * as base64url from 'jose/base64url'

/** A create that may be repeated, for example because its answer was lost: a repeat gets the document of the first. */
export interface IdempotentRequest {
  /** What the client sends with the request and each repeat. */
  readonly key: string
  /** Who sends it. The same key from somebody else is another key. */
  readonly sender: string
  /** What the request asks for, besides its content. A repeat must ask for the same. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Makes what is stored useless without the secret of the service; null if it has none. */
  readonly secret: string | null
}

/** What is stored of an idempotency key, and what only its holder can compute. */
export interface IdempotencyKey {
  readonly hash: string
  /** Returns a hash of a request. It reveals nothing about passwords among the settings. */
  readonly hashRequest: (content: Uint8Array, settings: IdempotentRequest['settings']) => Promise<string>
  readonly encryptToken: (token: string) => Promise<string>
  readonly decryptToken: (encrypted: string) => Promise<string>
}

const utf8 = new TextEncoder()
const PART_BYTES = 32
const IV_BYTES = 12

const toJson = (settings: IdempotentRequest['settings']): string =>
  JSON.stringify(
    Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/**
 * Derives a hash and two keys from an idempotency key (HKDF, RFC 5869). The database stores the hash alone. So whoever
 * reads it can't decrypt the document token or guess the settings, as long as the key is random or the service has a
 * secret.
 */
export async function openIdempotencyKey({
  key,
  sender,
  secret,
}: IdempotentRequest): Promise<IdempotencyKey> {
  const material = await crypto.subtle.importKey('raw', utf8.encode(key), 'HKDF', false, ['deriveBits'])
  const parameters = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: utf8.encode(secret ?? ''),
    info: utf8.encode(`regent idempotency key\0${sender}`),
  }
  const bits = await crypto.subtle.deriveBits(parameters, material, 3 * PART_BYTES * 8)
  const part = (index: number) => new Uint8Array(bits, index * PART_BYTES, PART_BYTES)
  const macKey = () =>
    crypto.subtle.importKey('raw', part(1), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const tokenKey = () => crypto.subtle.importKey('raw', part(2), 'AES-GCM', false, ['encrypt', 'decrypt'])
  return {
    hash: base64url.encode(part(0)),
    hashRequest: async (content, settings) => {
      const contentHash = base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', content)))
      const signed = utf8.encode(`${contentHash}${toJson(settings)}`)
      return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', await macKey(), signed)))
    },
    encryptToken: async (token) => {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const encrypted = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv },
        await tokenKey(),
        utf8.encode(token),
      )
      return base64url.encode(new Uint8Array([...iv, ...new Uint8Array(encrypted)]))
    },
    decryptToken: async (encrypted) => {
      const bytes = base64url.decode(encrypted)
      const iv = bytes.slice(0, IV_BYTES)
      const token = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv },
        await tokenKey(),
        bytes.slice(IV_BYTES),
      )
      return new TextDecoder().decode(token)
    },
  }
}
