/**
 * A sign of a language, in a sample of short lines. One with the weight 4 or more is in no other language. Patterns
 * have the flags `gm`, and at most one unbounded repetition between two fixed parts, so that they take linear time.
 */
export type Feature = readonly [weight: number, pattern: RegExp]

export type Features = Readonly<Record<string, readonly Feature[]>>
