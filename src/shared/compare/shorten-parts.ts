import { MAX_WORD_LINE, type Part } from './compare-words.ts'

/** UTF-16 units that are shown at each end of a part of a long line. */
const ENDS = { changed: 400, unchanged: 150 } as const

/** Moves a cut so that it doesn't split a surrogate pair. */
const alignCut = (text: string, at: number): number =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1)) ? at - 1 : at

/** Leaves out the middle of the long parts of a line that is too long to show. */
export function shortenParts(parts: readonly Part[]): readonly Part[] {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0)
  if (length <= MAX_WORD_LINE) return parts
  return parts.flatMap((part): Part[] => {
    const { text, changed } = part
    const shown = changed ? ENDS.changed : ENDS.unchanged
    if (text.length <= 3 * shown) return [part]
    const head = alignCut(text, shown)
    const tail = alignCut(text, text.length - shown)
    return [
      { text: text.slice(0, head), changed },
      { text: '', changed, omitted: tail - head },
      { text: text.slice(tail), changed },
    ]
  })
}
