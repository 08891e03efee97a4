import { diff } from '@codemirror/merge'

/** Lines that were replaced: indices into the lines before, and the lines after. */
interface Replacement {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

export interface Merged {
  readonly text: string
  /** Places where only they changed something, which is in the text. */
  readonly theirs: number
  /** Places where both changed the same lines to something else, which are as mine has them. */
  readonly conflicts: number
}

/** Very different texts are told apart less precisely, so that none holds up the page. */
const LIMITS = { scanLimit: 2_000, timeout: 500 } as const

/** Characters that stand for lines: all of UTF-16 but surrogates, which mean nothing alone. */
const MOST_DISTINCT = 0xd800

/** Each text with a character for each line, the same for the same; null where there are too many. */
function asCharacters(texts: readonly (readonly string[])[]): string[] | null {
  const codes = new Map<string, number>()
  for (const line of texts.flat()) if (!codes.has(line)) codes.set(line, codes.size)
  if (codes.size > MOST_DISTINCT) return null
  return texts.map((lines) => lines.map((line) => String.fromCharCode(codes.get(line) ?? 0)).join(''))
}

const same = (one: Replacement, other: Replacement): boolean =>
  one.from === other.from && one.to === other.to && one.lines.join('\n') === other.lines.join('\n')

/** Lines next to each other count, too: who changed one of them has looked at both. */
const touch = (one: Replacement, other: Replacement): boolean => one.from <= other.to && other.from <= one.to

/**
 * Puts two changes of a text together, line by line. Where both changed the same lines, mine stay; so they do all
 * where the texts have too many lines to tell.
 *
 * @param base what both began with. Line breaks of all three are `\n`.
 */
export function mergeTexts(base: string, mine: string, theirs: string): Merged {
  const before = base.split('\n')
  const after = [mine, theirs].map((text) => text.split('\n'))
  const characters = asCharacters([before, ...after])
  if (!characters) return { text: mine, theirs: 0, conflicts: 1 }
  const [start = '', ...ends] = characters
  const [own = [], others = []] = after.map((lines, index) =>
    diff(start, ends[index] ?? '', LIMITS).map(
      ({ fromA, toA, fromB, toB }): Replacement => ({ from: fromA, to: toA, lines: lines.slice(fromB, toB) }),
    ),
  )
  const different = others.filter((other) => !own.some((one) => same(one, other)))
  const added = different.filter((other) => !own.some((one) => touch(one, other)))
  const merged: (readonly string[])[] = []
  let at = 0
  for (const { from, to, lines } of [...own, ...added].sort((one, other) => one.from - other.from)) {
    merged.push(before.slice(at, from), lines)
    at = to
  }
  return {
    text: [...merged, before.slice(at)].flat().join('\n'),
    theirs: added.length,
    conflicts: different.length - added.length,
  }
}
