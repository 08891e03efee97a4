interface Part {
  readonly html: string
}

interface ReplacedParts<Added> {
  readonly start: number
  readonly end: number
  readonly added: readonly Added[]
}

/** A change usually changes one part. */
export function getReplacedParts<Added extends Part>(
  before: readonly Part[],
  after: readonly Added[],
): ReplacedParts<Added> {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start]?.html === after[start]?.html) start += 1
  let same = 0
  while (same < shorter - start && before.at(-1 - same)?.html === after.at(-1 - same)?.html) same += 1
  return { start, end: before.length - same, added: after.slice(start, after.length - same) }
}
