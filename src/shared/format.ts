import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from './instant.ts'

const UNITS_MS = [
  ['year', 365.25 * DAY_MS],
  ['month', 30.4375 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const

const findUnit = (ms: number) => UNITS_MS.find(([, length]) => ms >= length)

function roundDuration(ms: number): number {
  const [, length] = findUnit(ms) ?? []
  return length === undefined ? ms : Math.round(ms / length) * length
}

/** Rounds future times to the nearest unit: a document created just now for 7 days expires `in 7 days`, not 6. */
export function formatAge(at: Instant, now: Instant): string {
  const ms = at <= now ? now - at : roundDuration(at - now)
  const [unit, length] = findUnit(ms) ?? []
  if (unit === undefined) return at <= now ? 'just now' : 'in less than a minute'
  const count = Math.floor(ms / length)
  const duration = `${count} ${unit}${count === 1 ? '' : 's'}`
  return at <= now ? `${duration} ago` : `in ${duration}`
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Returns `May 2026`, for example, in UTC. */
export function formatMonth(at: Instant): string {
  const date = new Date(at)
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** Returns `3 May 2026, 09:05 UTC`, for example. `Intl` would add 10 ms to every start of the Worker. */
export function formatDateTime(at: Instant): string {
  const date = new Date(at)
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  return `${day}, ${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())} UTC`
}

/** Returns ISO 8601 in UTC, as the API, feeds and downloads write a time. */
export const formatIsoTime = (at: Instant): string => new Date(at).toISOString()

const SIZE_UNITS = ['bytes', 'KiB', 'MiB'] as const

export function formatSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  if (power === 0) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  return `${(bytes / 1024 ** power).toFixed(1)} ${SIZE_UNITS[power]}`
}

/** Formats a number of things, such as `1,234 lines`, without `Intl`, as above. */
export const formatCount = (count: number, noun: string): string =>
  `${String(count).replace(/\B(?=(?:\d{3}){1,5}$)/g, ',')} ${noun}${count === 1 ? '' : 's'}`
