import { MAX_REASON_CHARACTERS } from '../../moderation/removal-statements.ts'
import { findLengthProblem } from '../layout/form.ts'

/** Returns the problem with the reason for a moderator's decision; null if there is none. */
export function findReasonProblem(
  reason: string,
  empty = 'Enter a reason. The author will see it.',
): string | null {
  if (reason === '') return empty
  return findLengthProblem(reason, MAX_REASON_CHARACTERS)
}
