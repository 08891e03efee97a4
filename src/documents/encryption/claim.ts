import { deriveClaimToken, hashClaimToken } from '../../shared/encryption/claim-token.ts'
import { parseJwe } from '../../shared/encryption/jwe.ts'
import type { Claim } from '../model/document.ts'

/** Returns the claim for a JWE: what the database keeps, so that the password can be proven without the content. */
export async function createClaim(jwe: string, password: string): Promise<Claim> {
  const { header } = parseJwe(jwe)
  return { header: header.encoded, hash: await hashClaimToken(await deriveClaimToken(password, header)) }
}
