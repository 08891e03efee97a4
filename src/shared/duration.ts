const DAYS = { m: 1 / 1_440, h: 1 / 24, d: 1, w: 7 } as const

const isUnit = (unit: string | undefined): unit is keyof typeof DAYS =>
  unit !== undefined && Object.hasOwn(DAYS, unit)

/** Describes the values that `parseDuration` accepts, for error messages. */
export const DURATION_FORMAT = 'a duration such as 30m, 12h, 2d or 4w, or never'

/**
 * Parses a duration such as `30m`, `12h`, `2d` or `4w` into days, the unit of the API's `expiration`. Returns null for
 * `never`, and undefined for anything else.
 *
 * @example parseDuration('12h') // 0.5
 */
export function parseDuration(typed: string): number | null | undefined {
  if (typed === 'never') return null
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,9})?)([mhdw])$/.exec(typed) ?? []
  if (!isUnit(unit)) return undefined
  const days = Number(number) * DAYS[unit]
  // To the API, an expiration of 0 means never.
  return days > 0 ? days : undefined
}
