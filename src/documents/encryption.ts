import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimToken,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  hashClaimToken,
  parseJwe,
} from '../shared/jwe.ts'
import { encodeText, type IncomingContent } from './content.ts'
import { type Claim, generatePassword } from './document.ts'

/** Returns the claim for a JWE: what the database keeps, so that the password can be proven without the content. */
export async function createClaim(jwe: string, password: string): Promise<Claim> {
  const { header } = parseJwe(jwe)
  return { header: header.encoded, hash: await hashClaimToken(await deriveClaimToken(password, header)) }
}

interface EncryptionOptions {
  readonly content: IncomingContent
  /** How the service encrypts plain text; null if it doesn't. With `password: null` it generates one. */
  readonly encryption: { readonly password: string | null } | null
  readonly burnAfterReading: boolean
  /** The claim hash that came with a JWE. */
  readonly claimHash: string | null
}

export interface EncryptedContent {
  /** What KV stores. */
  readonly stored: Uint8Array
  readonly contentBytes: number
  readonly claim: Claim | null
  /** The hash by which editors prove the password; null if it came without one, and for plain text. */
  readonly proofHash: string | null
  readonly generatedPassword: string | null
}

/** Returns what to store of new content: a client's JWE as it is, plain text encrypted if asked for. */
export async function encryptContent({
  content,
  encryption,
  burnAfterReading,
  claimHash,
}: EncryptionOptions): Promise<EncryptedContent> {
  if (content.kind === 'jwe') {
    return {
      stored: encodeText(content.text),
      contentBytes: content.contentBytes,
      claim:
        burnAfterReading && claimHash !== null ? { header: content.header.encoded, hash: claimHash } : null,
      proofHash: claimHash,
      generatedPassword: null,
    }
  }
  const { bytes } = content
  if (!encryption) {
    return {
      stored: bytes,
      contentBytes: bytes.byteLength,
      claim: null,
      proofHash: null,
      generatedPassword: null,
    }
  }
  const password = encryption.password ?? generatePassword()
  const generatedPassword = encryption.password === null ? password : null
  const iterations = generatedPassword === null ? CHOSEN_PASSWORD_ITERATIONS : GENERATED_PASSWORD_ITERATIONS
  const jwe = await encryptJwe(bytes, password, iterations)
  const claim = await createClaim(jwe, password)
  return {
    stored: encodeText(jwe),
    contentBytes: bytes.byteLength,
    claim: burnAfterReading ? claim : null,
    proofHash: claim.hash,
    generatedPassword,
  }
}
