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

const MINUTE = 60_000
const UNITS = [
  ['year', 365.25 * 24 * 60 * MINUTE],
  ['month', 30.4375 * 24 * 60 * MINUTE],
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const

/** How long ago an instant was, or how far ahead it is, in words. */
export function distance(at: number, now: number): string {
  const ms = Math.abs(at - now)
  const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? []
  if (unit === undefined) return at <= now ? 'just now' : 'in less than a minute'
  const count = Math.floor(ms / length)
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`
  return at <= now ? `${words} ago` : `in ${words}`
}

/** Written out, so that it means the same to everyone. Intl would do it, for ten milliseconds of every start. */
function dateTime(at: number): string {
  const date = new Date(at)
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  return `${day}, ${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())} UTC`
}

/** An instant, in milliseconds since 1970. */
export const Time = ({ at }: { at: number }) => (
  <time datetime={new Date(at).toISOString()}>{dateTime(at)}</time>
)

interface AgeProps {
  readonly at: number
  readonly now: number
}

/** An instant as it is to who looks now, and exactly. */
export const Age = ({ at, now }: AgeProps) => (
  <>
    <span data-age={at}>{distance(at, now)}</span>
    {', '}
    <Time at={at} />
  </>
)
