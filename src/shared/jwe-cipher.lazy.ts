import * as errors from 'jose/errors'
import { compactDecrypt } from 'jose/jwe/compact/decrypt'
import { CompactEncrypt } from 'jose/jwe/compact/encrypt'
import { encodeText } from './encodings.ts'
import { ALGORITHM, ENCRYPTION, MAX_ITERATIONS, SALT_BYTES } from './jwe-algorithm.ts'

export const encrypt = (content: Uint8Array, password: string, iterations: number): Promise<string> =>
  new CompactEncrypt(content)
    .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
    .setKeyManagementParameters({
      p2c: iterations,
      p2s: crypto.getRandomValues(new Uint8Array(SALT_BYTES)),
    })
    .encrypt(encodeText(password))

export async function decrypt(jwe: string, password: string): Promise<Uint8Array | null> {
  try {
    const { plaintext } = await compactDecrypt(jwe, encodeText(password), {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
      maxPBES2Count: MAX_ITERATIONS,
    })
    return plaintext
  } catch (error) {
    if (error instanceof errors.JWEDecryptionFailed) return null
    throw error
  }
}
