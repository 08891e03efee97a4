import { createHash, pbkdf2Sync } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'

/** ASCII only, because a header can't contain other characters. */
export const PASSWORD = 'a password with spaces & more'

interface JweOptions {
  readonly password?: string
  readonly algorithm?: string
  readonly encryption?: string
  readonly iterations?: number
  readonly saltBytes?: number
}

/** Encrypts text as a client does. */
export const encrypt = (
  text: string,
  {
    password = PASSWORD,
    algorithm = 'PBES2-HS512+A256KW',
    encryption = 'A256GCM',
    iterations = 1_000,
    saltBytes = 16,
  }: JweOptions = {},
): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: algorithm, enc: encryption })
    .setKeyManagementParameters({
      p2c: iterations,
      p2s: crypto.getRandomValues(new Uint8Array(saltBytes)),
    })
    .encrypt(new TextEncoder().encode(password))

/** Decrypts a JWE. Throws if the password is wrong. */
export async function decrypt(jwe: string, password: string): Promise<string> {
  const options = { maxPBES2Count: 100_000, keyManagementAlgorithms: ['PBES2-HS512+A256KW'] }
  const { plaintext } = await compactDecrypt(jwe, new TextEncoder().encode(password), options)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(plaintext)
}

export const readHeader = (jwe: string) => decodeProtectedHeader(jwe)

/** Derives a claim token as docs/encryption.md describes. `header` is a JWE, or only its first part. */
export function deriveClaimToken(password: string, header: string): string {
  const [encoded = ''] = header.split('.')
  const { p2s, p2c } = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as {
    p2s: string
    p2c: number
  }
  const salt = Buffer.concat([Buffer.from('regent-claim\0'), Buffer.from(p2s, 'base64url')])
  return pbkdf2Sync(password, salt, p2c, 32, 'sha512').toString('base64url')
}

/** Returns what a client sends as `claim_hash`. */
export const hashClaimToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url')

/** Encrypts text, and returns the settings for a burn-after-reading document with it. */
export async function encryptToBurn(text: string, password = PASSWORD) {
  const jwe = await encrypt(text, { password })
  const token = deriveClaimToken(password, jwe)
  const settings = {
    encrypted: true,
    client_encrypted: true,
    instant_delete: true,
    claim_hash: hashClaimToken(token),
  }
  return { jwe, token, settings }
}
