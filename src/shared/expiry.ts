/** The instant that stands for "never": the last millisecond of the year 9999. */
export const NEVER = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The expiries that forms offer. `days` is what the API takes for them; null is never. */
export const EXPIRY_CHOICES = {
  hour: { days: 1 / 24, label: 'After 1 hour' },
  day: { days: 1, label: 'After 1 day' },
  week: { days: 7, label: 'After 7 days' },
  month: { days: 30, label: 'After 30 days' },
  year: { days: 365, label: 'After 1 year' },
  never: { days: null, label: 'Never' },
} as const

/** The expiry of a document whose request names none. */
export const DEFAULT_EXPIRY = 'week'

/** `DEFAULT_EXPIRY` in days, as the API counts them. */
export const DEFAULT_EXPIRY_DAYS = EXPIRY_CHOICES[DEFAULT_EXPIRY].days
