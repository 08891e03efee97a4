import { DIFF_LINES, parseDiff } from '../../../shared/compare/parse-diff.ts'
import type { DisplayedText } from '../../text/displayed-text.ts'
import { createLineTints, placeLineNumbers, removePlacedNumbers } from '../extras.ts'

/** Phones have room for one number: the new one, or the old one of a removed line. */
const NARROW = '(max-width: 40rem)'

const formatNumber = (number: number | undefined) => (number ? String(number) : '')

export type DiffLines = ReturnType<typeof createDiffLines>

/** Tints the lines of a diff, and numbers them as in the old files and the new one. */
export function createDiffLines(text: DisplayedText) {
  const kinds = new Uint8Array(text.lines)
  /** The numbers of the new file, and of each old one: a merge has several. */
  const newNumbers = new Uint32Array(text.lines)
  const oldNumbers: Uint32Array[] = []
  let [index, last] = [0, 0]
  for (const line of parseDiff(text.element.textContent ?? '')) {
    kinds[index] = DIFF_LINES.indexOf(line.kind)
    newNumbers[index] = line.new
    for (const [column, number] of line.old.entries()) {
      oldNumbers[column] ??= new Uint32Array(text.lines)
      oldNumbers[column][index] = number
    }
    last = Math.max(last, line.new, ...line.old)
    index += 1
  }
  const tints = createLineTints(text, (line) => {
    const kind = DIFF_LINES[kinds[line - 1] ?? 0]
    return kind === 'context' || kind === 'note' ? null : kind
  })
  const digits = String(last).length
  const columns = [...oldNumbers, newNumbers]
  /** All columns are as wide as the largest number. */
  const formatNumbers = (line: number, isNarrow: boolean): string => {
    const numbers = columns.map((column) => formatNumber(column[line - 1]))
    if (isNarrow) return numbers.findLast((number) => number !== '') ?? ''
    return numbers.map((number) => number.padStart(digits)).join('  ')
  }
  const isNumbered = last > 0
  const gutter = text.element.closest('.text')?.querySelector<HTMLElement>('.numbers')
  const paint = () => {
    tints.paint()
    const isNarrow = matchMedia(NARROW).matches
    if (!isNumbered) return
    // The styles have room for two columns.
    const width = columns.length > 2 && !isNarrow ? columns.length * (digits + 2) - 2 : 0
    if (gutter) gutter.style.minWidth = width > 0 ? `calc(${width}ch + var(--gutter) + 0.75rem)` : ''
    placeLineNumbers(text, (line) => formatNumbers(line, isNarrow))
  }
  return {
    isNumbered,
    paint,
    clear: () => {
      tints.clear()
      removePlacedNumbers()
      if (gutter) gutter.style.minWidth = ''
    },
  }
}
