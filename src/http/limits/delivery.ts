import type { Document } from '../../documents/model/document.ts'
import type { Proof } from '../../documents/read.ts'
import type { AppContext } from '../../env.ts'
import { countGuess } from './guesses.ts'
import { getNetwork, limitRate } from './rate-limits.ts'

/**
 * Counts an attempt to prove the password of a document. Call it before the proof is checked, because that derives a
 * key.
 *
 * @throws AppError `rate_limited`, and `unavailable` if the attempt can't be counted.
 */
export const limitAttempts = (c: AppContext, documentId: string): Promise<void> =>
  limitRate(c, 'passwords', `${documentId} ${getNetwork(c)}`)

/**
 * Applies the limits of reading a document, before its content is delivered: on proofs, and on burns.
 *
 * @throws AppError `rate_limited`, and `unavailable` if an attempt can't be counted.
 */
export async function limitDelivery(
  c: AppContext,
  document: Document,
  { password, claimToken }: Proof,
): Promise<void> {
  if ((document.encrypted && password !== undefined) || claimToken !== undefined) {
    await limitAttempts(c, document.id)
  }
  if (document.burnAfterReading) await countGuess(c)
}
