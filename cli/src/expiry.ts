import { DURATION_FORMAT, parseDuration } from '../../src/shared/expiry.ts'
import { CliError } from './exit-codes.ts'

const DATE = /^\d{4}-\d\d-\d\d$/
/** The server checks it thoroughly. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT[\d:.,]+(?:Z|[+-]\d\d(?::?\d\d)?)$/

/**
 * Returns what the API takes as the expiry: days, an ISO 8601 date-time, or null for never.
 *
 * @param typed a duration, a date, which means its end in this time zone, or an ISO 8601 date-time with offset.
 * @throws CliError `usage` for anything else.
 */
export function parseExpiry(typed: string): number | string | null {
  const days = parseDuration(typed)
  if (days !== undefined) return days
  if (DATE_TIME.test(typed)) return typed
  if (DATE.test(typed)) {
    const endOfDay = new Date(`${typed}T23:59:59`)
    if (!Number.isNaN(endOfDay.getTime())) return endOfDay.toISOString()
  }
  throw new CliError('usage', `"${typed}" isn’t ${DURATION_FORMAT}, nor a date such as 2027-01-31`)
}
