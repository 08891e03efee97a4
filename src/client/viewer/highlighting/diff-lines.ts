import { DIFF_LINES, parseDiff } from '../../highlight/diff.ts'
import type { DisplayedText } from '../../text/displayed-text.ts'
import { createLineTints, placeLineNumbers, removePlacedNumbers } from '../extras.ts'

/** Phones have room for one number: the new one, or the old one of a removed line. */
const NARROW = '(max-width: 40rem)'

const formatNumber = (number: number | undefined) => (number ? String(number) : '')

export type DiffLines = ReturnType<typeof createDiffLines>

/** Tints the lines of a diff, and numbers them as in the old and the new file. */
export function createDiffLines(text: DisplayedText) {
  const kinds = new Uint8Array(text.lines)
  const [oldNumbers, newNumbers] = [new Uint32Array(text.lines), new Uint32Array(text.lines)]
  let [index, last] = [0, 0]
  for (const line of parseDiff(text.element.textContent ?? '')) {
    kinds[index] = DIFF_LINES.indexOf(line.kind)
    oldNumbers[index] = line.old
    newNumbers[index] = line.new
    last = Math.max(last, line.old, line.new)
    index += 1
  }
  const tints = createLineTints(text, (line) => {
    const kind = DIFF_LINES[kinds[line - 1] ?? 0]
    return kind === 'context' ? null : kind
  })
  const digits = String(last).length
  /** Both columns are as wide as the largest number. */
  const formatNumbers = (line: number, isNarrow: boolean): string => {
    const old = formatNumber(oldNumbers[line - 1])
    const current = formatNumber(newNumbers[line - 1])
    if (isNarrow) return current || old
    return `${old.padStart(digits)}  ${current.padStart(digits)}`
  }
  const isNumbered = last > 0
  return {
    isNumbered,
    paint: () => {
      tints.paint()
      const isNarrow = matchMedia(NARROW).matches
      if (isNumbered) placeLineNumbers(text, (line) => formatNumbers(line, isNarrow))
    },
    clear: () => {
      tints.clear()
      removePlacedNumbers()
    },
  }
}
