/** A moment, in milliseconds since 1970. */
export type Instant = number
