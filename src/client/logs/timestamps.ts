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
const CLOCK = '([01]?\\d|2[0-3]):([0-5]\\d):([0-5]\\d|60)'
const FRACTION = '(?:[.,](\\d{1,9}))?'
/** A 12-hour clock has it. */
const HALF = '(?:\\s?([AP])\\.?M\\b\\.?)?'
const ZONE = '(?: ?(Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)(?!\\d))?'

type Part = 'year' | 'month' | 'day' | 'hours' | 'minutes' | 'seconds' | 'fraction' | 'half' | 'zone'

/** Has the number of each part's group. Named groups would take longer. */
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
      `(?<!\\d)(\\d{4})[-/.](\\d\\d)[-/.](\\d\\d)[T ]([01]?\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d|60)${FRACTION})?${HALF}${ZONE}`,
      'i',
    ),
    `year month day ${TIME} fraction half zone`,
  ),
  // Access logs: 22/Nov/2026:12:00:00 +0000.
  createFormat(
    new RegExp(`(?<!\\d)(\\d\\d)/${MONTH}/(\\d{4}):${CLOCK}${ZONE}`),
    `day month year ${TIME} zone`,
  ),
  // PHP and Redis: 22-Nov-2026 12:00:00 UTC, 22 Nov 2026 12:00:00.123.
  createFormat(
    new RegExp(`(?<!\\d)(\\d{1,2})[- ]${MONTH}[- ](\\d{4}),? ${CLOCK}${FRACTION}${HALF}${ZONE}`),
    `day month year ${TIME} fraction half zone`,
  ),
  // Java and WebLogic: Nov 22, 2026, 2:15:00 PM UTC.
  createFormat(
    new RegExp(`\\b${MONTH} (\\d{1,2}), (\\d{4}),? ${CLOCK}${FRACTION}${HALF}${ZONE}`),
    `month day year ${TIME} fraction half zone`,
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
  // Chromium and Electron: [123:1122/120000.123456:ERROR:….
  createFormat(
    /(?<=^\[(?:\d{1,8}:){0,2})(\d\d)(\d\d)\/(\d\d)(\d\d)(\d\d)(?:\.(\d{1,9}))?(?=:[A-Z])/,
    `month day ${TIME} fraction`,
  ),
]

const CLOCK_ONLY = [
  // 2:15:00 PM, 02:15 pm.
  createFormat(
    /(?<=^(?:\S{1,40}\s*\| )?[[(]?)(0?[1-9]|1[0-2]):([0-5]\d)(?::([0-5]\d|60)(?:[.,](\d{1,9}))?)?\s?([AP])\.?M\b\.?/i,
    `${TIME} fraction half`,
  ),
  createFormat(
    new RegExp(`(?<=^(?:\\S{1,40}\\s*\\| )?[[(]?)(?=\\d\\d)${CLOCK}${FRACTION}(?![\\d:])`),
    `${TIME} fraction`,
  ),
]

/** The part that comes first in dates such as 11/12/26. */
type DateOrder = (typeof ORDERS)[number]

const ORDERS = ['month', 'day', 'year'] as const

/** 11/22/2026, 2:15:00 PM, 26/11/22 12:00, 22.11.2026 12:00:00.123, 11-22 12:00:00. */
const NUMERIC = new RegExp(
  `(?<![\\d./:-])(\\d{1,4})([-/.])(\\d{1,2})(?:\\2(\\d{4}|\\d\\d))?(?:T|,? {1,2})([01]?\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d|60)${FRACTION})?${HALF}${ZONE}`,
  'i',
)

const readNumeric = (match: RegExpExecArray) => {
  const [, first = '', mark = '', second = '', third] = match
  return { first, mark, second, third }
}

type NumericDate = ReturnType<typeof readNumeric>

interface CalendarDate {
  readonly year: number | null
  readonly month: number
  readonly day: number
}

const readYear = (digits: string) => Number(digits) + (digits.length < 4 ? 2_000 : 0)

/** Returns null if it isn't a date in this order. */
function readDate({ first, second, third }: NumericDate, order: DateOrder): CalendarDate | null {
  const [one, two] = [Number(first), Number(second)]
  let date: CalendarDate
  if (third === undefined)
    date = order === 'day' ? { year: null, month: two, day: one } : { year: null, month: one, day: two }
  else if (order === 'year') date = { year: readYear(first), month: two, day: Number(third) }
  else if (order === 'day') date = { year: readYear(third), month: two, day: one }
  else date = { year: readYear(third), month: one, day: two }
  const isYearKnown = third !== undefined && (third.length === 4 || first.length === 4)
  if (isYearKnown && (first.length === 4) !== (order === 'year')) return null
  if (first.length > 2 && (order !== 'year' || first.length === 3)) return null
  const { month, day } = date
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? date : null
}

/** A date without a year is the last one that isn't in the future. */
function getDateTime({ year, month, day }: CalendarDate, now: Instant): Instant {
  const getTime = (of: number) => Date.UTC(of, month - 1, day)
  if (year !== null) return getTime(year)
  const thisYear = new Date(now).getUTCFullYear()
  const time = getTime(thisYear)
  return time > now + DAY_MS ? getTime(thisYear - 1) : time
}

/**
 * Finds the order in which all dates exist, none is in the future, and the log is shortest, then most recent. In a year that
 * is written with four digits, slashes mean that the month is first.
 */
export function findDateOrder(lines: Iterable<string>, now: Instant): DateOrder | null {
  const dates: NumericDate[] = []
  for (const line of lines) {
    const match = NUMERIC.exec(line.slice(0, HEAD))
    if (match) dates.push(readNumeric(match))
  }
  const candidates = ORDERS.flatMap((order) => {
    const read = dates.map((date) => readDate(date, order))
    const times = read.flatMap((date) => (date ? [getDateTime(date, now)] : []))
    if (dates.length === 0 || times.length < dates.length) return []
    const [first, last] = [Math.min(...times), Math.max(...times)]
    return [{ order, isFuture: last > now + DAY_MS, span: last - first, age: Math.abs(now - last) }]
  })
  const isShort = dates.some(({ third }) => third?.length === 2)
  const usual: DateOrder = dates[0]?.mark === '/' || !dates[0]?.third ? 'month' : 'day'
  const [best] = candidates.sort(
    (one, other) =>
      Number(one.isFuture) - Number(other.isFuture) ||
      one.span - other.span ||
      (isShort ? one.age - other.age : Number(other.order === usual) - Number(one.order === usual)),
  )
  return best?.order ?? null
}

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

/** Takes seconds, milliseconds, microseconds or nanoseconds. */
function parseEpoch(text: string): number {
  const [digits = ''] = text.split('.')
  return Number(text) * 10 ** (13 - digits.length)
}

type ReadPart = (part: Part) => string | undefined

function readFormat({ pattern, groups }: Format, text: string, now: number): Timestamp | null {
  const match = pattern.exec(text)
  if (!match) return null
  const read: ReadPart = (part) => match[groups[part] ?? -1]
  const monthName = read('month')
  const year = read('year')
  const date = monthName !== undefined && {
    year: year === undefined ? null : Number(year),
    month: MONTHS.indexOf(monthName) + 1 || Number(monthName),
    day: Number(read('day')),
  }
  return toTimestamp(match, read, date || { year: 1970, month: 1, day: 1 }, now)
}

const NUMERIC_PARTS = createFormat(NUMERIC, `first mark second third ${TIME} fraction half zone`).groups

function readNumericFormat(text: string, now: number, order: DateOrder | null): Timestamp | null {
  const match = NUMERIC.exec(text)
  if (!match) return null
  const date = readDate(readNumeric(match), order ?? findDateOrder([text], now) ?? 'month')
  return date && toTimestamp(match, (part) => match[NUMERIC_PARTS[part] ?? -1], date, now)
}

/** 12 AM is midnight, and 12 PM is noon. */
function readHours(read: ReadPart): number {
  const hours = Number(read('hours'))
  const half = read('half')?.toUpperCase()
  return half === undefined || hours > 12 ? hours : (hours % 12) + (half === 'P' ? 12 : 0)
}

function toTimestamp(
  match: RegExpExecArray,
  read: ReadPart,
  date: CalendarDate,
  now: number,
): Timestamp | null {
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > 31) return null
  const offset = parseZone(read('zone'))
  const seconds = (readHours(read) * 60 + Number(read('minutes'))) * 60 + Number(read('seconds') ?? 0)
  const clock = seconds * 1_000 + parseFraction(read('fraction')) - (offset ?? 0) * MINUTE_MS
  const time = getDateTime(date, now - clock) + clock
  return { time, offset, from: match.index, to: match.index + match[0].length }
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
  const found = readNumericFormat(value, now, null)
  return found && { ...found, from: found.from + start, to: found.to + start }
}

function readKey(line: string, now: number): Timestamp | null {
  const match = KEY.exec(line.length > MAX_EXAMINED ? line.slice(0, MAX_EXAMINED) : line)
  const value = match?.[1]
  return match && value !== undefined
    ? readValue(value, match.index + match[0].length - value.length, now)
    : null
}

function readFirst(text: string, now: number, order: DateOrder | null): Timestamp | null {
  let first: Timestamp | null = null
  for (const format of FORMATS) {
    const found = readFormat(format, text, now)
    if (found && (!first || found.from < first.from)) first = found
  }
  first ??= readNumericFormat(text, now, order)
  for (const format of CLOCK_ONLY) first ??= readFormat(format, text, now)
  return first
}

/** @param now decides the year of dates that lack one. @param order of the log's dates; null if it isn't known. */
export function findTimestamp(line: string, now: number, order: DateOrder | null = null): Timestamp | null {
  if (line.startsWith('{')) return readKey(line, now)
  const head = line.length > HEAD ? line.slice(0, HEAD) : line
  if (!/\d\d/.test(head)) return null
  const epoch = EPOCH_AT_START.exec(head)?.[1]
  if (epoch !== undefined) {
    const from = head.indexOf(epoch)
    return { time: parseEpoch(epoch), offset: null, from, to: from + epoch.length }
  }
  const first = readFirst(head, now, order)
  if (first && first.from < HEAD / 2) return first
  return (/=/.test(head) ? readKey(line, now) : null) ?? first
}

interface LogTimes {
  /** The `Instant` of each line; NaN for a line without a timestamp. */
  readonly times: Float64Array
  /** Minutes ahead of UTC in which the log states its times. */
  readonly offset: number
  readonly dateOrder?: DateOrder | null
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:\s?([AP])\.?M\.?)?$/i
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/

/** A time without a zone is in the log's. A time of day is the first one in the log, which may be after midnight. */
export function parseTimeQuery(text: string, log: LogTimes, now: Instant): Instant | null {
  const query = text.trim()
  const stated = log.times.filter((time) => !Number.isNaN(time)).sort()
  const [first, last] = [stated.at(0), stated.at(-1)]
  if (first === undefined || last === undefined) return null
  const shift = log.offset * MINUTE_MS
  const [, hours, minutes, seconds = '0', fraction, half] = TIME_OF_DAY.exec(query) ?? []
  if (hours !== undefined) {
    const hour = readHours((part) => (part === 'hours' ? hours : half))
    const ofDay =
      (hour * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000 + parseFraction(fraction)
    const midnight = Math.floor((first + shift) / DAY_MS) * DAY_MS - shift
    const time = midnight + ofDay
    return time < first && time + DAY_MS <= last ? time + DAY_MS : time
  }
  const [, year, month, day] = DATE.exec(query) ?? []
  if (year !== undefined) return Date.UTC(Number(year), Number(month) - 1, Number(day)) - shift
  const found = findTimestamp(query, now, log.dateOrder)
  if (!found) return null
  return found.offset === null && !/^\d{10,}/.test(query) ? found.time - shift : found.time
}

/** Returns the number of the first line from that time on, counting from 1; null if there is none. */
export function findLineAtTime({ times }: LogTimes, time: Instant): number | null {
  const index = times.findIndex((each) => each >= time)
  return index === -1 ? null : index + 1
}

/** @example 2026-11-22 14:32:00 */
export const formatLogTime = (time: Instant, offset: number): string =>
  new Date(time + offset * MINUTE_MS).toISOString().slice(0, 19).replace('T', ' ')
