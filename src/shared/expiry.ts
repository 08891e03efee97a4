import type { Instant } from './instant.ts'

const DAYS = { m: 1 / 1_440, h: 1 / 24, d: 1, w: 7 } as const

const isUnit = (unit: string | undefined): unit is keyof typeof DAYS =>
  unit !== undefined && Object.hasOwn(DAYS, unit)

export const DURATION_FORMAT = 'a duration such as 30m, 12h, 2d or 4w, or never'

/** Returns days, the unit of the API's `expiration` (`12h` is 0.5), or undefined if the text isn't a duration. */
export function parseDuration(typed: string): number | null | undefined {
  if (typed === 'never') return null
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,9})?)([mhdw])$/.exec(typed) ?? []
  if (!isUnit(unit)) return undefined
  const days = Number(number) * DAYS[unit]
  // To the API, an expiration of 0 means never.
  return days > 0 ? days : undefined
}

export const NEVER: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** `days` is what the API takes for them; null is never. */
export const EXPIRY_CHOICES = {
  hour: { days: 1 / 24, label: 'After 1 hour' },
  day: { days: 1, label: 'After 1 day' },
  week: { days: 7, label: 'After 7 days' },
  month: { days: 30, label: 'After 30 days' },
  year: { days: 365, label: 'After 1 year' },
  never: { days: null, label: 'Never' },
} as const

export const DEFAULT_EXPIRY = 'week'

export const DEFAULT_EXPIRY_DAYS = EXPIRY_CHOICES[DEFAULT_EXPIRY].days
