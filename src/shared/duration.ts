const DAYS = { m: 1 / 1_440, h: 1 / 24, d: 1, w: 7 } as const

const isUnit = (unit: string | undefined): unit is keyof typeof DAYS =>
  unit !== undefined && Object.hasOwn(DAYS, unit)

/** Says what `parseDuration` accepts, for error messages. */
export const DURATION_FORMAT = 'a duration such as 30m, 12h, 2d or 4w, or never'

/**
 * Returns a typed duration in days, as the API's `expiration` takes it: null for `never`, and undefined for anything else
 * that isn't a number above zero with one of the units m (minutes), h, d or w.
 *
 * @example parseDuration('12h') // 0.5
 */
export function parseDuration(typed: string): number | null | undefined {
  if (typed === 'never') return null
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,9})?)([mhdw])$/.exec(typed) ?? []
  if (!isUnit(unit)) return undefined
  const days = Number(number) * DAYS[unit]
  // The API takes an expiration of 0 for never.
  return days > 0 ? days : undefined
}
