/** A moment, in milliseconds since 1970. */
export type Instant = number

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const DAY_SECONDS = DAY_MS / 1000
