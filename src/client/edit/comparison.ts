import { unifiedMergeView } from '@codemirror/merge'
import type { Extension } from '@codemirror/state'
import { createEncoder, diffTokens, WorkLimit } from '../../shared/compare/diff-tokens.ts'
import { createButton } from '../shared/elements.ts'

/** Lines of the base (by index, `to` excluded) and the lines that replace them. */
interface Replacement {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

interface MergedTexts {
  readonly text: string
  readonly theirs: number
  /** In how many places both changed the same lines, which are mine in the text. */
  readonly conflicts: number
}

const MAX_STEPS = 5_000_000

const isSame = (one: Replacement, other: Replacement): boolean =>
  one.from === other.from && one.to === other.to && one.lines.join('\n') === other.lines.join('\n')

/** Adjacent replacements count as touching: neighbouring lines usually belong together. */
const touches = (one: Replacement, other: Replacement): boolean =>
  one.from <= other.to && other.from <= one.to

/** Where both changed the same lines, or the texts are too different to compare, mine stay. */
export function mergeTexts(base: string, mine: string, theirs: string): MergedTexts {
  const baseLines = base.split('\n')
  const changedLines = [mine, theirs].map((text) => text.split('\n'))
  const encode = createEncoder()
  const encodedBase = baseLines.map(encode)
  const replacements = changedLines.map((lines) =>
    diffTokens(encodedBase, lines.map(encode), new WorkLimit(MAX_STEPS))?.map(
      ({ oldFrom, oldTo, newFrom, newTo }): Replacement => ({
        from: oldFrom,
        to: oldTo,
        lines: lines.slice(newFrom, newTo),
      }),
    ),
  )
  const [myReplacements, theirReplacements] = replacements
  if (!myReplacements || !theirReplacements) return { text: mine, theirs: 0, conflicts: 1 }
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

export const showDifferences = (original: string): Extension =>
  unifiedMergeView({
    original,
    mergeControls: (type, action) =>
      type === 'accept' ? createButton('Keep mine', action) : createButton('Use theirs', action),
    diffConfig: { scanLimit: 500, timeout: 200 },
  })
