import { DIFF_LINES, parseDiff } from '../../../shared/compare/parse-diff.ts'
import { createTurns } from '../../text/chunks.ts'
import type { DisplayedText } from '../../text/displayed-text.ts'
import { createLineTints, placeLineNumbers, removePlacedNumbers } from '../extras.ts'

/** Phones have room for one number: the new one, or the old one of a removed line. */
const NARROW = '(max-width: 40rem)'

const formatNumber = (number: number | undefined) => (number ? String(number) : '')

/** Lines that are read between two looks at the clock. */
const LINES_PER_STEP = 500

export type DiffLines = ReturnType<typeof createDiffLines>

/** Tints the lines of a diff, and numbers them as in the old files and the new one. Calls `onChange` once they are. */
export function createDiffLines(text: DisplayedText, onChange: () => void) {
  const kinds = new Uint8Array(text.lines)
  /** The numbers of the new file, and of each old one: a merge has several. */
  const newNumbers = new Uint32Array(text.lines)
  const oldNumbers: Uint32Array[] = []
  let last = 0
  let [isNumbered, isOver] = [false, false]
  const read = async () => {
    const takeTurn = createTurns()
    let index = 0
    for (const line of parseDiff(text.element.textContent ?? '')) {
      kinds[index] = DIFF_LINES.indexOf(line.kind)
      newNumbers[index] = line.new
      for (const [column, number] of line.old.entries()) {
        oldNumbers[column] ??= new Uint32Array(text.lines)
        oldNumbers[column][index] = number
        last = Math.max(last, number)
      }
      last = Math.max(last, line.new)
      index += 1
      if (index % LINES_PER_STEP === 0) await takeTurn()
      if (isOver) return
    }
    isNumbered = last > 0
    onChange()
  }
  void read()
  const tints = createLineTints(text, (line) => {
    const kind = DIFF_LINES[kinds[line - 1] ?? 0]
    return kind === 'context' || kind === 'note' ? null : kind
  })
  /** All columns are as wide as the largest number. */
  const formatNumbers = (line: number, isNarrow: boolean): string => {
    const digits = String(last).length
    const numbers = [...oldNumbers, newNumbers].map((column) => formatNumber(column[line - 1]))
    if (isNarrow) return numbers.findLast((number) => number !== '') ?? ''
    return numbers.map((number) => number.padStart(digits)).join('  ')
  }
  const gutter = text.element.closest('.text')?.querySelector<HTMLElement>('.numbers')
  const paint = () => {
    tints.paint()
    const isNarrow = matchMedia(NARROW).matches
    if (!isNumbered) return
    // The styles have room for two columns.
    const columns = oldNumbers.length + 1
    const width = columns > 2 && !isNarrow ? columns * (String(last).length + 2) - 2 : 0
    if (gutter) gutter.style.minWidth = width > 0 ? `calc(${width}ch + var(--gutter) + 0.75rem)` : ''
    placeLineNumbers(text, (line) => formatNumbers(line, isNarrow))
  }
  return {
    get isNumbered() {
      return isNumbered
    },
    paint,
    clear: () => {
      isOver = true
      tints.clear()
      removePlacedNumbers()
      if (gutter) gutter.style.minWidth = ''
    },
  }
}
