import { invalidBody, issueAt } from '../errors.ts'
import { NEVER } from '../shared/expiry.ts'
import { DAY_MS, type Instant, MINUTE_MS } from '../shared/instant.ts'
import type { SettingKinds } from '../shared/settings.ts'

const MIN_EXPIRY_MS = MINUTE_MS
const MAX_EXPIRY_YEARS = 10

const DATE_TIME =
  /^(?<date>(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d))T(?<time>\d\d:\d\d(:\d\d([.,]\d+)?)?)(?<offset>Z|[+-]\d\d(:?\d\d)?)$/

/** ISO 8601 with an offset. NaN for anything else. */
function parseDateTime(text: string): number {
  const parts = DATE_TIME.exec(text)?.groups
  if (!parts) return Number.NaN
  const { date, year, month, day, time = '', offset = '' } = parts
  // Date.parse turns February 30 into March 1 or 2.
  const rolled = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (rolled.getUTCDate() !== Number(day)) return Number.NaN
  // ISO 8601 allows a comma, and offsets without colon or minutes. Date.parse doesn't.
  const fullOffset = offset.replace(
    /^([+-]\d\d):?(\d\d)?$/,
    (_, hours, minutes = '00') => `${hours}:${minutes}`,
  )
  return Date.parse(`${date}T${time.replace(',', '.')}${fullOffset}`)
}

function getLatestExpiry(now: Instant): number {
  const date = new Date(now)
  return date.setUTCFullYear(date.getUTCFullYear() + MAX_EXPIRY_YEARS)
}

/** @throws AppError `bad_request` at `settings.expiration`. */
export function parseExpiration(input: SettingKinds['expiration'], now: Instant): number {
  // Clients may send back what the API shows for "never", and old clients send 0.
  if (input === null || input === 0 || input === new Date(NEVER).toISOString()) return NEVER
  const instant = typeof input === 'number' ? Math.round(now + input * DAY_MS) : parseDateTime(input)
  if (Number.isNaN(instant)) {
    throw invalidBody(
      issueAt(
        ['settings', 'expiration'],
        'Expected null, a number of days, or an ISO 8601 date-time with offset',
      ),
    )
  }
  if (instant < now + MIN_EXPIRY_MS || instant > getLatestExpiry(now)) {
    throw invalidBody(
      issueAt(['settings', 'expiration'], 'Must be at least 1 minute and at most 10 years ahead'),
    )
  }
  return instant
}
