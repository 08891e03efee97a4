import { compactDecrypt } from 'jose/jwe/compact/decrypt'
import { CompactEncrypt } from 'jose/jwe/compact/encrypt'

const ALGORITHMS = { alg: 'dir', enc: 'A256GCM' } as const

/** Derives a key of its own, apart from the one that signs sessions (HKDF, RFC 5869). */
async function deriveKey(secret: string): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, [
    'deriveBits',
  ])
  const info = new TextEncoder().encode('regent linked account token')
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    material,
    256,
  )
  return new Uint8Array(bits)
}

export async function encryptToken(token: string, secret: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(token))
    .setProtectedHeader(ALGORITHMS)
    .encrypt(await deriveKey(secret))
}

/** Returns null if it was encrypted with another secret. */
export async function decryptToken(jwe: string, secret: string): Promise<string | null> {
  try {
    const { plaintext } = await compactDecrypt(jwe, await deriveKey(secret), {
      keyManagementAlgorithms: [ALGORITHMS.alg],
      contentEncryptionAlgorithms: [ALGORITHMS.enc],
    })
    return new TextDecoder().decode(plaintext)
  } catch {
    return null
  }
}
