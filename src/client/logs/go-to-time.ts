import { DAY_MS, type Instant, MINUTE_MS } from '../../shared/instant.ts'
import { findTimestamp } from './timestamps.ts'

interface LogTimes {
  /** The `Instant` of each line; NaN for a line without a timestamp. */
  readonly times: Float64Array
  /** Minutes ahead of UTC in which the log states its times. */
  readonly offset: number
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?$/
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/

function getRange({ times }: LogTimes): { first: number; last: number } | null {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const time of times) {
    if (time < first) first = time
    if (time > last) last = time
  }
  return last >= first ? { first, last } : null
}

/** A time without a zone is in the log's. A time of day is the first one in the log, which may be after midnight. */
export function parseTimeQuery(text: string, log: LogTimes, now: Instant): Instant | null {
  const query = text.trim()
  const range = getRange(log)
  if (!range) return null
  const shift = log.offset * MINUTE_MS
  const [, hours, minutes, seconds = '0', fraction = ''] = TIME_OF_DAY.exec(query) ?? []
  if (hours !== undefined) {
    const ofDay =
      (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + (Number(seconds) + Number(`0.${fraction}`)) * 1_000
    const midnight = Math.floor((range.first + shift) / DAY_MS) * DAY_MS - shift
    const time = midnight + ofDay
    return time < range.first && time + DAY_MS <= range.last ? time + DAY_MS : time
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
