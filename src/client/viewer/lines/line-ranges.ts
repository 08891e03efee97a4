/** Some consecutive lines, counted from 1. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** Parses `L10`, `10`, `L10-L20` or `10-20`. Returns null if the text isn't in such a form. */
export function parseLineRange(text: string): LineRange | null {
  const [, from, to] = /^\s*L?(\d{1,9})(?:\s*[-–]\s*L?(\d{1,9}))?\s*$/i.exec(text) ?? []
  if (from === undefined) return null
  const [one, other] = [Number(from), Number(to ?? from)]
  return { first: Math.max(1, Math.min(one, other)), last: Math.max(1, one, other) }
}

/** Returns the URL fragment that links to some lines, such as `#L10` or `#L10-L20`. */
export const formatLineRange = ({ first, last }: LineRange): string =>
  first === last ? `#L${first}` : `#L${first}-L${last}`
