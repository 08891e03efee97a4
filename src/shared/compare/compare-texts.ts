import { detectLineBreaks, type LineBreaks } from '../lines.ts'
import {
  type ComparedPair,
  compareEnds,
  compareWords,
  getSimilarity,
  MAX_WORD_LINE,
  measureWords,
  type Part,
  shortenParts,
} from './compare-words.ts'
import { type Change, diffTokens, WorkLimit } from './diff-tokens.ts'

export interface ShownLine {
  readonly number: number
  readonly parts: readonly Part[]
  /** Is true if the line has no line break. This is only said where the texts differ. */
  readonly lacksLineBreak?: boolean
}

export interface UnchangedLine {
  readonly oldNumber: number
  readonly newNumber: number
  readonly parts: readonly Part[]
}

/** Lines that were removed, and lines that replace them: the first stands beside the first, and so on. */
export interface ChangedBlock {
  readonly kind: 'changed'
  readonly removed: readonly ShownLine[]
  readonly added: readonly ShownLine[]
}

interface UnchangedBlock {
  readonly kind: 'unchanged'
  readonly lines: readonly UnchangedLine[]
}

interface FoldedBlock {
  readonly kind: 'folded'
  readonly count: number
  readonly lines: readonly UnchangedLine[]
}

interface OmittedBlock {
  readonly kind: 'omitted'
  readonly removed: number
  readonly added: number
}

export type ComparedBlock = ChangedBlock | UnchangedBlock | FoldedBlock | OmittedBlock

export interface LineCounts {
  readonly removed: number
  readonly added: number
}

export interface Comparison extends LineCounts {
  readonly blocks: readonly ComparedBlock[]
}

export type ComparisonResult = 'same' | 'too-long' | 'too-different' | Comparison

/** How many lines all texts on either side of a comparison may have. */
const MAX_LINES = 100_000
/** Lines that are split, also of texts that turn out to have too many. They take 100 ms. */
const MAX_SPLIT_LINES = 10 * MAX_LINES

/** Returns lines with their breaks, which the last one may lack, or null if there are too many. */
function splitLines(
  text: string,
  lineBreak: '\n' | '\r',
  { max, split }: { readonly max: number; readonly split: WorkLimit },
): string[] | null {
  const lines: string[] = []
  for (let start = 0; start < text.length; ) {
    if (lines.length >= max || !split.trySpend(1)) return null
    const end = text.indexOf(lineBreak, start) + 1 || text.length
    lines.push(text.slice(start, end))
    start = end
  }
  return lines
}

/** A removed line, the line that replaces it, or both, side by side. The numbers are indexes within the change. */
interface PairedLine {
  readonly old: number | null
  readonly current: number | null
  readonly marked: ComparedPair | null
}

/** Pairs that are tried. In larger changes, the first line replaces the first, and so on. */
const MAX_PAIRS = 1_000

function compareLines(old: string, current: string, work: WorkLimit): ComparedPair | null {
  if (old.length <= MAX_WORD_LINE && current.length <= MAX_WORD_LINE) return compareWords(old, current, work)
  return work.trySpend(Math.ceil((old.length + current.length) / 200)) ? compareEnds(old, current) : null
}

const countWords = (line: string): Map<string, number> => measureWords(line.slice(0, MAX_WORD_LINE))

/** Lines that have less in common don't replace each other. */
const MIN_SIMILARITY = 0.4

/** Returns the pairs of similar lines with the largest sum of similarities, in the order of both sides. */
function findSimilar(old: readonly string[], current: readonly string[]): [number, number][] {
  const [oldWords, newWords] = [old.map(countWords), current.map(countWords)]
  const width = current.length + 1
  const best = new Float64Array((old.length + 1) * width)
  const at = (row: number, column: number) => best[row * width + column] ?? 0
  const similarity = (row: number, column: number): number => {
    const [one, other] = [oldWords[row], newWords[column]]
    const value = one && other ? getSimilarity(one, other) : 0
    return value < MIN_SIMILARITY ? 0 : value
  }
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = current.length - 1; column >= 0; column--) {
      best[row * width + column] = Math.max(
        at(row + 1, column),
        at(row, column + 1),
        at(row + 1, column + 1) + similarity(row, column),
      )
    }
  }
  const pairs: [number, number][] = []
  for (let [row, column] = [0, 0]; row < old.length && column < current.length; ) {
    if (at(row, column) === at(row + 1, column)) row += 1
    else if (at(row, column) === at(row, column + 1)) column += 1
    else pairs.push([row++, column++])
  }
  return pairs
}

function pairRest(oldFrom: number, oldTo: number, newFrom: number, newTo: number): PairedLine[] {
  return Array.from({ length: Math.max(oldTo - oldFrom, newTo - newFrom) }, (_, index) => ({
    old: oldFrom + index < oldTo ? oldFrom + index : null,
    current: newFrom + index < newTo ? newFrom + index : null,
    marked: null,
  }))
}

/** Finds the lines that replace one another, and the changes in them. */
export function pairLines(old: readonly string[], current: readonly string[], work: WorkLimit): PairedLine[] {
  const units = [...old, ...current].reduce((sum, line) => sum + Math.min(line.length, MAX_WORD_LINE), 0)
  const canSearch =
    old.length !== current.length &&
    old.length * current.length <= MAX_PAIRS &&
    work.trySpend(units * (1 + Math.min(old.length, current.length)))
  const pairs = canSearch
    ? findSimilar(old, current)
    : Array.from({ length: Math.min(old.length, current.length) }, (_, index): [number, number] => [
        index,
        index,
      ])
  const paired: PairedLine[] = []
  let [oldFrom, newFrom] = [0, 0]
  for (const [oldAt, newAt] of pairs) {
    paired.push(...pairRest(oldFrom, oldAt, newFrom, newAt))
    const marked = compareLines(old[oldAt] ?? '', current[newAt] ?? '', work)
    paired.push({ old: oldAt, current: newAt, marked })
    oldFrom = oldAt + 1
    newFrom = newAt + 1
  }
  return [...paired, ...pairRest(oldFrom, old.length, newFrom, current.length)]
}

const CONTEXT_LINES = 3

/** Fewer lines than this aren't folded: the line that unfolds them takes space too. */
const MIN_FOLDED_LINES = 4

const MAX_CHANGE_LINES = 500

/** Lines and UTF-16 units on a page, and of those the ones in folded stretches. */
const MAX_SHOWN = { lines: 3_000, units: 500_000 }
const MAX_FOLDED = { lines: 2_000, units: 250_000 }
/** A longer stretch isn't on the page at all. */
const MAX_STRETCH_LINES = 500

const countUnits = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

const endsWithLineBreak = (lines: readonly string[]): boolean => lines.at(-1)?.endsWith('\n') ?? false

const withoutBreak = (line: string): string => line.replace(/\r?\n$/, '')

/** A carriage return stays where it's what changed. */
function trimParts(parts: readonly Part[]): Part[] {
  const last = parts.at(-1)
  if (!last) return []
  const text = last.changed ? last.text.replace(/\n$/, '') : withoutBreak(last.text)
  return [...parts.slice(0, -1), ...(text === '' ? [] : [{ ...last, text }])]
}

class BlockWriter {
  readonly #old: readonly string[]
  readonly #new: readonly string[]
  readonly #work: WorkLimit
  readonly #left: Limits['shown']
  readonly #leftToFold: Limits['folded']
  readonly #blocks: ComparedBlock[] = []
  readonly #counts = { removed: 0, added: 0 }
  readonly #omitted = { removed: 0, added: 0 }
  readonly #endsDiffer: boolean
  #oldAt = 0
  #newAt = 0

  constructor(old: readonly string[], current: readonly string[], { words, shown, folded }: Limits) {
    this.#old = old
    this.#new = current
    this.#work = words
    this.#left = shown
    this.#leftToFold = folded
    this.#endsDiffer = endsWithLineBreak(old) !== endsWithLineBreak(current)
  }

  addChange({ oldFrom, oldTo, newFrom, newTo }: Change): void {
    const [removed, added] = [oldTo - oldFrom, newTo - newFrom]
    this.#counts.removed += removed
    this.#counts.added += added
    if (this.#isFull()) {
      this.#omitted.removed += removed
      this.#omitted.added += added
    } else {
      this.#addUnchanged(newFrom, { isLast: false })
      this.#addChanged({ oldFrom, oldTo, newFrom, newTo })
    }
    this.#oldAt = oldTo
    this.#newAt = newTo
  }

  finish(): Comparison {
    if (this.#isFull() && this.#omitted.removed + this.#omitted.added > 0) {
      this.#blocks.push({ kind: 'omitted', ...this.#omitted })
    } else this.#addUnchanged(this.#new.length, { isLast: true })
    return { ...this.#counts, blocks: this.#blocks }
  }

  #isFull(): boolean {
    return this.#left.lines <= 0 || this.#left.units <= 0
  }

  #addUnchanged(newTo: number, { isLast }: { readonly isLast: boolean }): void {
    const count = newTo - this.#newAt
    const before = this.#blocks.length === 0 ? 0 : CONTEXT_LINES
    const after = isLast ? 0 : CONTEXT_LINES
    const folded = count - before - after
    if (folded < MIN_FOLDED_LINES) {
      this.#addLines(0, count)
      return
    }
    this.#addLines(0, before)
    const lines = this.#canFold(before, folded) ? this.#listUnchanged(before, before + folded) : []
    this.#blocks.push({ kind: 'folded', count: folded, lines })
    this.#addLines(count - after, count)
  }

  #canFold(from: number, count: number): boolean {
    if (count > MAX_STRETCH_LINES) return false
    const lines = this.#new.slice(this.#newAt + from, this.#newAt + from + count)
    const units = countUnits(lines)
    const left = this.#leftToFold
    if (count > left.lines || units > left.units) return false
    left.lines -= count
    left.units -= units
    return true
  }

  #addLines(from: number, to: number): void {
    if (from < to) this.#blocks.push({ kind: 'unchanged', lines: this.#listUnchanged(from, to) })
  }

  #listUnchanged(from: number, to: number): UnchangedLine[] {
    return this.#new.slice(this.#newAt + from, this.#newAt + to).map((line, index) => ({
      oldNumber: this.#oldAt + from + index + 1,
      newNumber: this.#newAt + from + index + 1,
      parts: shortenParts([{ text: withoutBreak(line), changed: false }]),
    }))
  }

  #addChanged({ oldFrom, oldTo, newFrom, newTo }: Change): void {
    const old = this.#old.slice(oldFrom, Math.min(oldTo, oldFrom + MAX_CHANGE_LINES))
    const current = this.#new.slice(newFrom, Math.min(newTo, newFrom + MAX_CHANGE_LINES))
    const sides = { old: { lines: old, from: oldFrom }, current: { lines: current, from: newFrom } }
    const toLine = (pair: PairedLine, side: 'old' | 'current'): ShownLine[] => {
      const index = pair[side]
      if (index === null) return []
      const { lines, from } = sides[side]
      const text = lines[index] ?? ''
      const parts = shortenParts(trimParts(pair.marked?.[side] ?? [{ text, changed: false }]))
      this.#left.lines -= 1
      this.#left.units -= countUnits(parts.map((part) => part.text))
      const lacksLineBreak = this.#endsDiffer && !text.endsWith('\n')
      return [{ number: from + index + 1, parts, ...(lacksLineBreak && { lacksLineBreak }) }]
    }
    for (const run of groupPairs(pairLines(old, current, this.#work))) {
      const removed = run.flatMap((pair) => toLine(pair, 'old'))
      const added = run.flatMap((pair) => toLine(pair, 'current'))
      this.#blocks.push({ kind: 'changed', removed, added })
    }
    const omitted = { removed: oldTo - oldFrom - old.length, added: newTo - newFrom - current.length }
    if (omitted.removed + omitted.added > 0) this.#blocks.push({ kind: 'omitted', ...omitted })
  }
}

/**
 * Divides pairs into groups. Within one, the lines of both sides stand beside each other without gaps before the end of
 * the shorter side.
 */
function groupPairs(pairs: readonly PairedLine[]): PairedLine[][] {
  const groups: PairedLine[][] = []
  let open: 'one-sided' | 'paired' | null = null
  for (const pair of pairs) {
    const isPaired = pair.old !== null && pair.current !== null
    if (open === null || (isPaired && open === 'one-sided')) groups.push([])
    groups.at(-1)?.push(pair)
    open = isPaired ? 'paired' : 'one-sided'
  }
  return groups
}

/** Steps to find the changed lines, and the words within them. Together, they take about 150 ms in the Worker at the most. */
const LINE_STEPS = 300_000
const WORD_STEPS = 150_000

/** The work that may still be done, and the room that is left in the result. */
export type Limits = ReturnType<typeof createLimits>

export const createLimits = () => ({
  lines: new WorkLimit(LINE_STEPS),
  words: new WorkLimit(WORD_STEPS),
  shown: { ...MAX_SHOWN },
  folded: { ...MAX_FOLDED },
  split: new WorkLimit(MAX_SPLIT_LINES),
  /** Lines of either side that may still be compared. */
  old: MAX_LINES,
  current: MAX_LINES,
})

/** A CR that ends lines is compared as one before an LF, or as the LF if the other text has it too. */
function splitTexts(old: string, current: string, limits: Limits): [string[] | null, string[] | null] {
  const [oldBreaks, newBreaks] = [detectLineBreaks(old), detectLineBreaks(current)]
  const split = (text: string, own: LineBreaks, other: LineBreaks, max: number) => {
    if (own !== 'cr') return splitLines(text, '\n', { max, split: limits.split })
    const lineBreak = other === 'lf' ? '\r\n' : '\n'
    return (
      splitLines(text, '\r', { max, split: limits.split })?.map((line) => line.replace(/\r$/, lineBreak)) ??
      null
    )
  }
  const oldLines = split(old, oldBreaks, newBreaks, limits.old)
  return [oldLines, oldLines && split(current, newBreaks, oldBreaks, limits.current)]
}

/** The work and the size of the result are limited, for several texts together if they share the limits. */
export function compareTexts(
  old: string,
  current: string,
  limits: Limits = createLimits(),
): ComparisonResult {
  if (old === current) return 'same'
  const [oldLines, newLines] = splitTexts(old, current, limits)
  if (!oldLines || !newLines) return 'too-long'
  limits.old -= oldLines.length
  limits.current -= newLines.length
  const changes = diffTokens(oldLines, newLines, limits.lines)
  if (!changes) return 'too-different'
  const writer = new BlockWriter(oldLines, newLines, limits)
  for (const change of changes) writer.addChange(change)
  return writer.finish()
}

/** Returns null if the texts weren't compared. */
export function countResult(result: ComparisonResult): LineCounts | null {
  if (typeof result === 'object') return result
  return result === 'same' ? { removed: 0, added: 0 } : null
}

/** Returns null if that would take too long. */
export function countChanges(old: string, current: string, work: WorkLimit): LineCounts | null {
  // Once none is left, texts aren't even split.
  if (!work.trySpend(1)) return null
  const [oldLines, newLines] = splitTexts(old, current, createLimits())
  const changes = oldLines && newLines && diffTokens(oldLines, newLines, work)
  if (!changes) return null
  return {
    removed: changes.reduce((sum, { oldFrom, oldTo }) => sum + oldTo - oldFrom, 0),
    added: changes.reduce((sum, { newFrom, newTo }) => sum + newTo - newFrom, 0),
  }
}
