/**
 * One sign of a language: how much it says, and the pattern that shows it.
 *
 * A weight of 4 or more is a sign that no other language has. Patterns run on a sample of short lines. They
 * have the flags `gm`, and at most one unbounded repetition between two fixed parts, so that they take linear time.
 */
export type Feature = readonly [weight: number, pattern: RegExp]

export type Features = Readonly<Record<string, readonly Feature[]>>
