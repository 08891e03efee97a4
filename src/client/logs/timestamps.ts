import { DAY_MS, type Instant, MINUTE_MS } from '../../shared/instant.ts'

interface Timestamp {
  /** A time without a zone counts as UTC. */
  readonly time: Instant
  /** Minutes ahead of UTC, or null if the line states no zone. */
  readonly offset: number | null
  readonly from: number
  readonly to: number
}

const HEAD = 100
/** UTF-16 units of a line of JSON in which a timestamp is looked for. */
const MAX_EXAMINED = 4_096

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const MONTH = `(${MONTHS.join('|')})`
const CLOCK = '([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d|60)'
const FRACTION = '(?:[.,](\\d{1,9}))?'
const ZONE = '(?: ?(Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)(?!\\d))?'

type Part = 'year' | 'month' | 'day' | 'hours' | 'minutes' | 'seconds' | 'fraction' | 'zone'

/** With the number of each part's group. Named groups would take longer. */
interface Format {
  readonly pattern: RegExp
  readonly groups: Readonly<Partial<Record<Part, number>>>
}

const createFormat = (pattern: RegExp, parts: string): Format => ({
  pattern,
  groups: Object.fromEntries(parts.split(' ').map((part, index) => [part, index + 1])),
})

const TIME = 'hours minutes seconds'

const FORMATS: readonly Format[] = [
  // ISO 8601 and RFC 3339, and with slashes as nginx and Go write it, or with dots.
  createFormat(
    new RegExp(
      `(?<!\\d)(\\d{4})[-/.](\\d\\d)[-/.](\\d\\d)[T ]([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d|60)${FRACTION})?${ZONE}`,
    ),
    `year month day ${TIME} fraction zone`,
  ),
  // Access logs: 22/Nov/2026:12:00:00 +0000.
  createFormat(
    new RegExp(`(?<!\\d)(\\d\\d)/${MONTH}/(\\d{4}):${CLOCK}${ZONE}`),
    `day month year ${TIME} zone`,
  ),
  // PHP and Redis: 22-Nov-2026 12:00:00 UTC, 22 Nov 2026 12:00:00.123.
  createFormat(
    new RegExp(`(?<!\\d)(\\d{1,2})[- ]${MONTH}[- ](\\d{4}) ${CLOCK}${FRACTION}${ZONE}`),
    `day month year ${TIME} fraction zone`,
  ),
  // syslog, and Apache's error log, which adds the year.
  createFormat(
    new RegExp(`\\b${MONTH}  ?(\\d{1,2}) ${CLOCK}${FRACTION}(?: (?:UTC )?((?:19|20)\\d\\d)(?=\\]|\\s|$))?`),
    `month day ${TIME} fraction year`,
  ),
  // klog: E1122 12:00:00.123456.
  createFormat(
    new RegExp(`(?<=^(?:.{0,40}\\| )?[IWEF])(\\d\\d)(\\d\\d) ${CLOCK}${FRACTION}`),
    `month day ${TIME} fraction`,
  ),
  // 22.11.2026 12:00:00.123.
  createFormat(
    new RegExp(`(?<!\\d)(\\d\\d)\\.(\\d\\d)\\.(\\d{4}),? ${CLOCK}${FRACTION}`),
    `day month year ${TIME} fraction`,
  ),
  // Android: 11-22 12:00:00.123.
  createFormat(new RegExp(`^(\\d\\d)-(\\d\\d) ${CLOCK}${FRACTION}`), `month day ${TIME} fraction`),
]

const CLOCK_ONLY = createFormat(
  new RegExp(`(?<=^(?:\\S{1,40}\\s*\\| )?[[(]?)${CLOCK}${FRACTION}(?![\\d:])`),
  `${TIME} fraction`,
)

const KEY =
  /(?:"(?:@?time(?:stamp)?|ts|@t|t|date(?:time)?|asctime|event_?time)"\s{0,4}:\s{0,4}|(?:^|\s)(?:time(?:stamp)?|ts|t)=)"?([^",}\s][^",}]{7,40})/i

/** Seconds from 2001 on, with a fraction, or milliseconds, microseconds or nanoseconds. */
const EPOCH = /^[1-9]\d{9}(?:\.\d{1,9}|\d{3}(?:\.\d{1,9})?|\d{6}|\d{9})?(?!\d)/
const EPOCH_AT_START = /^\[?([1-9]\d{9}(?:\.\d{1,9}|\d{3}(?:\.\d{1,9})?)?)(?=[\]\s|,;:]|$)/

function parseZone(zone: string | undefined): number | null {
  if (zone === undefined) return null
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  return sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

const parseFraction = (fraction = '') => Number(`0.${fraction}`) * 1_000

/** In seconds, milliseconds, microseconds or nanoseconds. */
function parseEpoch(text: string): number {
  const [digits = ''] = text.split('.')
  return Number(text) * 10 ** (13 - digits.length)
}

function readFormat({ pattern, groups }: Format, text: string, now: number): Timestamp | null {
  const match = pattern.exec(text)
  if (!match) return null
  const read = (part: Part): string | undefined => match[groups[part] ?? -1]
  const offset = parseZone(read('zone'))
  const time = toTime(read, offset ?? 0, now)
  return time === null ? null : { time, offset, from: match.index, to: match.index + match[0].length }
}

function toTime(read: (part: Part) => string | undefined, offset: number, now: number): number | null {
  const clock = [Number(read('hours')), Number(read('minutes')), Number(read('seconds') ?? 0)] as const
  const getTime = (year: number, month = 1, day = 1) =>
    Date.UTC(year, month - 1, day, ...clock) - offset * MINUTE_MS + parseFraction(read('fraction'))
  const monthName = read('month')
  if (monthName === undefined) return getTime(1970)
  const month = MONTHS.indexOf(monthName) + 1 || Number(monthName)
  const day = Number(read('day'))
  if (month < 1 || month > 12 || day < 1 || day > 31) return null
  const stated = read('year')
  if (stated !== undefined) return getTime(Number(stated), month, day)
  // A date without a year is the last one that isn't in the future.
  const year = new Date(now).getUTCFullYear()
  const time = getTime(year, month, day)
  return time > now + DAY_MS ? getTime(year - 1, month, day) : time
}

function readValue(value: string, start: number, now: number): Timestamp | null {
  const [epoch] = EPOCH.exec(value) ?? []
  if (epoch !== undefined) {
    return { time: parseEpoch(epoch), offset: null, from: start, to: start + epoch.length }
  }
  for (const format of FORMATS) {
    const found = readFormat(format, value, now)
    if (found) return { ...found, from: found.from + start, to: found.to + start }
  }
  return null
}

function readKey(line: string, now: number): Timestamp | null {
  const match = KEY.exec(line.length > MAX_EXAMINED ? line.slice(0, MAX_EXAMINED) : line)
  const value = match?.[1]
  return match && value !== undefined
    ? readValue(value, match.index + match[0].length - value.length, now)
    : null
}

function readFirst(text: string, now: number): Timestamp | null {
  let first: Timestamp | null = null
  for (const format of FORMATS) {
    const found = readFormat(format, text, now)
    if (found && (!first || found.from < first.from)) first = found
  }
  return first ?? readFormat(CLOCK_ONLY, text, now)
}

/** @param now decides the year of dates that lack one. */
export function findTimestamp(line: string, now: number): Timestamp | null {
  if (line.startsWith('{')) return readKey(line, now)
  const head = line.length > HEAD ? line.slice(0, HEAD) : line
  if (!/\d\d/.test(head)) return null
  const epoch = EPOCH_AT_START.exec(head)?.[1]
  if (epoch !== undefined) {
    const from = head.indexOf(epoch)
    return { time: parseEpoch(epoch), offset: null, from, to: from + epoch.length }
  }
  const first = readFirst(head, now)
  if (first && first.from < HEAD / 2) return first
  return (/=/.test(head) ? readKey(line, now) : null) ?? first
}

interface LogTimes {
  /** The `Instant` of each line; NaN for a line without a timestamp. */
  readonly times: Float64Array
  /** Minutes ahead of UTC in which the log states its times. */
  readonly offset: number
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?$/
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/

/** A time without a zone is in the log's. A time of day is the first one in the log, which may be after midnight. */
export function parseTimeQuery(text: string, log: LogTimes, now: Instant): Instant | null {
  const query = text.trim()
  const stated = log.times.filter((time) => !Number.isNaN(time)).sort()
  const [first, last] = [stated.at(0), stated.at(-1)]
  if (first === undefined || last === undefined) return null
  const shift = log.offset * MINUTE_MS
  const [, hours, minutes, seconds = '0', fraction] = TIME_OF_DAY.exec(query) ?? []
  if (hours !== undefined) {
    const ofDay =
      (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000 + parseFraction(fraction)
    const midnight = Math.floor((first + shift) / DAY_MS) * DAY_MS - shift
    const time = midnight + ofDay
    return time < first && time + DAY_MS <= last ? time + DAY_MS : time
  }
  const [, year, month, day] = DATE.exec(query) ?? []
  if (year !== undefined) return Date.UTC(Number(year), Number(month) - 1, Number(day)) - shift
  const found = findTimestamp(query, now)
  if (!found) return null
  return found.offset === null && !/^\d{10,}/.test(query) ? found.time - shift : found.time
}

/** Counts from 1. */
export function findLineAtTime({ times }: LogTimes, time: Instant): number | null {
  const index = times.findIndex((each) => each >= time)
  return index === -1 ? null : index + 1
}

/** @example 2026-11-22 14:32:00 */
export const formatLogTime = (time: Instant, offset: number): string =>
  new Date(time + offset * MINUTE_MS).toISOString().slice(0, 19).replace('T', ' ')
