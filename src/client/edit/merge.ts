import { diff } from '@codemirror/merge'

/** Lines of the base (by index, `to` excluded) and the lines that replace them. */
interface Replacement {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

export interface MergedTexts {
  readonly text: string
  /** The number of places where their change was merged in. */
  readonly theirs: number
  /** The number of places where both changed the same lines: the text has mine. */
  readonly conflicts: number
}

/** Bounds the work on very different texts, which are then compared less precisely. */
const DIFF_LIMITS = { scanLimit: 2_000, timeout: 500 } as const

/** Each distinct line becomes one UTF-16 code unit below the surrogates, which would have no meaning alone. */
const MAX_DISTINCT_LINES = 0xd800

/** Encodes each text with one character per line, so that lines can be compared as characters; null if there are too many. */
function encodeLines(texts: readonly (readonly string[])[]): string[] | null {
  const codes = new Map<string, number>()
  for (const line of texts.flat()) if (!codes.has(line)) codes.set(line, codes.size)
  if (codes.size > MAX_DISTINCT_LINES) return null
  return texts.map((lines) => lines.map((line) => String.fromCharCode(codes.get(line) ?? 0)).join(''))
}

const isSame = (one: Replacement, other: Replacement): boolean =>
  one.from === other.from && one.to === other.to && one.lines.join('\n') === other.lines.join('\n')

/** Adjacent replacements count as touching: neighbouring lines usually belong together. */
const touches = (one: Replacement, other: Replacement): boolean =>
  one.from <= other.to && other.from <= one.to

/**
 * Merges two changes of a text line by line. Where both changed the same lines, mine stay. If the texts have too many
 * distinct lines to compare, the result is mine as a whole.
 *
 * @param base the text that both started from. All three texts have LF line breaks.
 */
export function mergeTexts(base: string, mine: string, theirs: string): MergedTexts {
  const baseLines = base.split('\n')
  const changedLines = [mine, theirs].map((text) => text.split('\n'))
  const encoded = encodeLines([baseLines, ...changedLines])
  if (!encoded) return { text: mine, theirs: 0, conflicts: 1 }
  const [encodedBase = '', ...encodedChanges] = encoded
  const [myReplacements = [], theirReplacements = []] = changedLines.map((lines, index) =>
    diff(encodedBase, encodedChanges[index] ?? '', DIFF_LIMITS).map(
      ({ fromA, toA, fromB, toB }): Replacement => ({ from: fromA, to: toA, lines: lines.slice(fromB, toB) }),
    ),
  )
  const different = theirReplacements.filter((other) => !myReplacements.some((one) => isSame(one, other)))
  const added = different.filter((other) => !myReplacements.some((one) => touches(one, other)))
  const merged: (readonly string[])[] = []
  let at = 0
  for (const { from, to, lines } of [...myReplacements, ...added].sort(
    (one, other) => one.from - other.from,
  )) {
    merged.push(baseLines.slice(at, from), lines)
    at = to
  }
  return {
    text: [...merged, baseLines.slice(at)].flat().join('\n'),
    theirs: added.length,
    conflicts: different.length - added.length,
  }
}
