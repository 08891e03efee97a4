/** The lifetimes that forms offer, in days as the API counts them; null is never. */
export const EXPIRY_DAYS = {
  hour: 1 / 24,
  day: 1,
  week: 7,
  month: 30,
  year: 365,
  never: null,
} as const

/** The usernames that were typed into one field. */
export const parseUsernames = (typed: string): string[] => typed.split(/[\s,]+/).filter(Boolean)
