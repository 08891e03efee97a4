import { deriveClaimToken, hashClaimToken } from './claim-token.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  decryptJwe,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  parseJwe,
} from './jwe.ts'

export interface EncryptOptions {
  readonly text: string
  readonly password: string
  /** Whether the password was generated, so that it needs no stretching; or else a JWE that it decrypts. */
  readonly generated: boolean | { readonly asIn: string }
}

export interface EncryptedText {
  /** The JWE in compact form. */
  readonly jwe: string
  /** The hash of the claim token. The server stores it, so that the password can be proven without revealing it. */
  readonly claimHash: string
}

const isStretched = (jwe: string): boolean => parseJwe(jwe).header.iterations > GENERATED_PASSWORD_ITERATIONS

/**
 * Encrypts a text before it is sent, so that the server never sees the text or the password.
 *
 * @throws JweError if `generated` contains an invalid JWE.
 */
export async function encryptText({ text, password, generated }: EncryptOptions): Promise<EncryptedText> {
  const stretched = typeof generated === 'boolean' ? !generated : isStretched(generated.asIn)
  const iterations = stretched ? CHOSEN_PASSWORD_ITERATIONS : GENERATED_PASSWORD_ITERATIONS
  const jwe = await encryptJwe(new TextEncoder().encode(text), password, iterations)
  const token = await deriveClaimToken(password, parseJwe(jwe).header)
  return { jwe, claimHash: await hashClaimToken(token) }
}

/**
 * Decrypts a JWE to its text. Returns null if the password is wrong.
 *
 * @throws JweError if it isn't a JWE that the server stores, and TypeError if it doesn't contain text.
 */
export async function decryptText(jwe: string, password: string): Promise<string | null> {
  parseJwe(jwe)
  const bytes = await decryptJwe(jwe, password)
  return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}
