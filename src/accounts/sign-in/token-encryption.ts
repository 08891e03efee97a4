import { CompactEncrypt, compactDecrypt } from 'jose'

const ALGORITHMS = { alg: 'dir', enc: 'A256GCM' } as const

/** A key of its own for tokens, so that what signs sessions opens none (HKDF, RFC 5869). */
async function sealingKey(secret: string): Promise<Uint8Array> {
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

/** Encrypts the token of a linked account for keeping: a JWE in compact form, `dir` with `A256GCM` (RFC 7518 §4.5). */
export async function encryptToken(token: string, secret: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(token))
    .setProtectedHeader(ALGORITHMS)
    .encrypt(await sealingKey(secret))
}

/** The token that was sealed; null when it was with another secret. */
export async function decryptToken(sealed: string, secret: string): Promise<string | null> {
  try {
    const { plaintext } = await compactDecrypt(sealed, await sealingKey(secret), {
      keyManagementAlgorithms: [ALGORITHMS.alg],
      contentEncryptionAlgorithms: [ALGORITHMS.enc],
    })
    return new TextDecoder().decode(plaintext)
  } catch {
    return null
  }
}
