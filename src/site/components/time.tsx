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
