import { type ComparedPair, compareEnds, compareWords, MAX_WORD_LINE, splitWords } from './compare-words.ts'
import type { WorkLimit } from './work-limit.ts'

/** A removed line, the line that replaces it, or both, side by side. By index within the change. */
export interface PairedLine {
  readonly old: number | null
  readonly current: number | null
  /** Marks what differs; null if the lines have too little in common. */
  readonly marked: ComparedPair | null
}

/** Pairs that are tried. In larger changes, the first line replaces the first, and so on. */
const MAX_PAIRS = 1_000

/** Marks what differs between two lines that follow each other in a change. */
function compareLines(old: string, current: string, work: WorkLimit): ComparedPair | null {
  if (old.length <= MAX_WORD_LINE && current.length <= MAX_WORD_LINE) return compareWords(old, current, work)
  return work.trySpend(Math.ceil((old.length + current.length) / 100)) ? compareEnds(old, current) : null
}

const countWords = (line: string): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const word of splitWords(line.slice(0, MAX_WORD_LINE))) {
    if (/\S/.test(word)) counts.set(word, (counts.get(word) ?? 0) + word.length)
  }
  return counts
}

/** Returns how much two lines have in common, from 0 to 1. */
function getSimilarity(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)
  const shared = sum([...one].map(([word, count]) => Math.min(count, other.get(word) ?? 0)))
  return shared / Math.max(1, sum(one.values()), sum(other.values()))
}

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

/** Pairs the lines from `from` to `to` of both sides in their order, without comparing them. */
function pairRest(oldFrom: number, oldTo: number, newFrom: number, newTo: number): PairedLine[] {
  return Array.from({ length: Math.max(oldTo - oldFrom, newTo - newFrom) }, (_, index) => ({
    old: oldFrom + index < oldTo ? oldFrom + index : null,
    current: newFrom + index < newTo ? newFrom + index : null,
    marked: null,
  }))
}

/**
 * Decides which added line replaces which removed line, so that they stand side by side, and marks the words in which
 * they differ.
 */
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
