import { MAX_REASON_CHARACTERS } from '../../src/moderation/removal-statements.ts'
import { CommandError } from '../support/wrangler.ts'

/** Returns the reason in `--reason`. Throws a CommandError if it's missing or too long. */
export function parseReason(command: string, text: string | undefined): string {
  const reason = text?.trim() ?? ''
  if (reason === '') throw new CommandError(`"${command}" needs --reason TEXT.`)
  if ([...reason].length > MAX_REASON_CHARACTERS) {
    throw new CommandError(`A reason can have at most ${MAX_REASON_CHARACTERS} characters.`)
  }
  return reason
}

/** Returns the number in `--limit`. Throws a CommandError if it isn't a whole number from 1 to 1000. */
export function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
    throw new CommandError('--limit must be a whole number from 1 to 1000.')
  }
  return limit
}
