const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const LENGTHS_MS = [
  ['year', 365.25 * DAY_MS],
  ['month', 30.4375 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
] as const

/** How long ago an instant was, or how far ahead it is; both in milliseconds since 1970. */
export function formatAge(at: number, now: number): string {
  const ms = Math.abs(at - now)
  const [unit, length] = LENGTHS_MS.find(([, length]) => ms >= length) ?? []
  if (unit === undefined) return at <= now ? 'just now' : 'in less than a minute'
  const count = Math.floor(ms / length)
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`
  return at <= now ? `${words} ago` : `in ${words}`
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

/**
 * An instant in milliseconds since 1970, written out so that it means the same to everyone. Intl would do it,
 * for ten milliseconds of every start.
 */
export function formatDateTime(at: number): string {
  const date = new Date(at)
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  return `${day}, ${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())} UTC`
}

const UNITS = ['bytes', 'KiB', 'MiB'] as const

/** A number of bytes as people read it. */
export function formatSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  if (power === 0) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`
}

interface Hidden {
  readonly count: number
  readonly firstLine: number
}

/**
 * How many characters of a kind hide in a text, and where; the latter is a link to that line.
 *
 * @param most how many are counted.
 */
export function formatHiddenCharacters(
  { count, firstLine }: Hidden,
  kind: string,
  most: number,
): { amount: string; where: string } {
  if (count === 1) return { amount: `one ${kind} character`, where: `on line ${firstLine}` }
  const amount = `${count}${count === most ? ' or more' : ''} ${kind} characters`
  return { amount, where: `first on line ${firstLine}` }
}
