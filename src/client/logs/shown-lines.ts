import { getTokensBetween, type Tokens } from '../highlight/tokens.ts'
import { createTurns } from '../text/chunks.ts'
import { findLastAtMost } from '../text/displayed-text.ts'
import type { LinkedLines } from '../viewer/lines.ts'
import type { LevelCode } from './levels.ts'
import { countFolds, type ParsedLog, readFold } from './parse-log.ts'

/** Runs of shown lines: the first of each, from 0, and the line after its last one. */
export type LineRuns = Uint32Array<ArrayBuffer>

export function* listRuns(runs: LineRuns): Generator<readonly [from: number, to: number]> {
  for (let index = 0; index < runs.length; index += 2) yield [runs[index] ?? 0, runs[index + 1] ?? 0]
}

export type ShownLines = ReturnType<typeof createShownLines>

/** Positions and numbers count from 1; a line keeps its number wherever it is shown. */
export function createShownLines(runs: LineRuns) {
  const before: number[] = []
  let count = 0
  for (const [from, to] of listRuns(runs)) {
    before.push(count)
    count += to - from
  }
  const countBefore = (number: number): number => {
    const run = findLastAtMost(runs, number - 1, 2)
    if (run === -1) return 0
    const [from, to] = [runs[run * 2] ?? 0, runs[run * 2 + 1] ?? 0]
    return (before[run] ?? 0) + Math.min(number - 1, to) - from
  }
  return {
    count,
    numberAt: (position: number): number => {
      const run = Math.max(0, findLastAtMost(before, position - 1))
      return (runs[run * 2] ?? 0) + position - (before[run] ?? 0)
    },
    findPositions: ({ first, last }: LinkedLines): LinkedLines | null => {
      const positions = { first: countBefore(first) + 1, last: countBefore(last + 1) }
      return positions.first > positions.last ? null : positions
    },
  }
}

/** Leaves out folded lines. Lines stay unfolded if their header isn't shown. */
export function foldLines(runs: LineRuns, folds: Uint32Array, folded: ReadonlySet<number>): LineRuns {
  if (folded.size === 0) return runs
  const rest: number[] = []
  let [fold, from] = [0, 0]
  for (const [first, to] of listRuns(runs)) {
    from = Math.max(from, first)
    for (; fold < countFolds(folds); fold++) {
      const { header, start, end } = readFold(folds, fold)
      if (header >= to) break
      if (header < from || !folded.has(fold)) continue
      if (from < Math.min(start, to)) rest.push(from, Math.min(start, to))
      from = end
    }
    if (from < to) rest.push(from, to)
  }
  return new Uint32Array(rest)
}

export const getAllRuns = (lines: number): LineRuns => new Uint32Array(lines > 0 ? [0, lines] : [])

export function getShownText(text: string, lineStarts: Uint32Array, runs: LineRuns): string {
  let shown = ''
  for (const [from, to] of listRuns(runs)) shown += text.slice(lineStarts[from], lineStarts[to])
  return shown
}

/** The offsets are those in the text of the shown lines. */
export function getShownTokens(tokens: Tokens, lineStarts: Uint32Array, runs: LineRuns): Tokens {
  const shown: number[] = []
  let offset = 0
  for (const [first, last] of listRuns(runs)) {
    const [start, end] = [lineStarts[first] ?? 0, lineStarts[last] ?? 0]
    if (start === 0 && runs.length === 2 && end === lineStarts.at(-1)) return tokens
    for (const { from, to, style } of getTokensBetween(tokens, start, end)) {
      shown.push(Math.max(from, start) - start + offset, Math.min(to, end) - start + offset, style)
    }
    offset += end - start
  }
  return new Uint32Array(shown)
}

export interface LogFilter {
  readonly levels: readonly LevelCode[]
  readonly query: string
  readonly isPattern: boolean
  readonly contextLines: number
}

export const showsEverything = ({ levels, query }: LogFilter): boolean => levels.length === 0 && query === ''

/** Takes plain text, and ignores case. */
export const createPattern = (text: string): RegExp =>
  new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu')

type LineSearch = { readonly matches: (line: string) => boolean } | { readonly problem: string }

function describeProblem(pattern: string, message: string): string {
  if (/\(\?<?[=!]/.test(pattern))
    return 'Look-ahead and look-behind aren’t supported, because they can take forever.'
  if (/\\[1-9]|\\k</.test(pattern))
    return 'Back-references such as \\1 aren’t supported, because they can take forever.'
  return `This isn’t a valid regular expression: ${message.replace(/^error parsing regexp: /, '')}`
}

/** Ignores case. Takes linear time: plain characters do in the browser's engine, and every pattern does in RE2. */
async function createSearch(query: string, isPattern: boolean): Promise<LineSearch> {
  if (!isPattern) {
    const pattern = createPattern(query)
    return { matches: (line) => pattern.test(line) }
  }
  const { RE2JS, RE2JSException } = await import('re2js')
  try {
    const pattern = RE2JS.compile(query, RE2JS.CASE_INSENSITIVE)
    return { matches: (line) => pattern.test(line) }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return { problem: describeProblem(query, error.message) }
  }
}

const SLICE_LINES = 10_000

/** An entry matches, with all its lines, if one of them does. Returns null if the search was cancelled. */
export async function filterLines(
  text: string,
  { lineStarts, levels, continues }: ParsedLog,
  filter: LogFilter,
  isCancelled: () => boolean,
): Promise<{ readonly runs: LineRuns } | { readonly problem: string } | null> {
  const search = await createSearch(filter.query, filter.isPattern)
  if ('problem' in search) return search
  const lines = levels.length
  const shown = new Set(filter.levels)
  const runs: number[] = []
  const add = (first: number, end: number) => {
    const from = Math.max(0, first - filter.contextLines)
    const to = Math.min(lines, end + filter.contextLines)
    if (runs.length > 0 && from <= (runs.at(-1) ?? 0)) runs[runs.length - 1] = Math.max(to, runs.at(-1) ?? 0)
    else runs.push(from, to)
  }
  const takeTurn = createTurns()
  let checked = 0
  for (let first = 0; first < lines; ) {
    let end = first + 1
    while (end < lines && continues[end] === 1) end += 1
    if (shown.size === 0 || shown.has((levels[first] ?? 0) as LevelCode)) {
      for (let line = first; line < end; line++) {
        if (
          filter.query !== '' &&
          !search.matches(text.slice(lineStarts[line], getLineEnd(text, lineStarts, line)))
        )
          continue
        add(first, end)
        break
      }
    }
    first = end
    if (first - checked < SLICE_LINES) continue
    checked = first
    if ((await takeTurn()) && isCancelled()) return null
  }
  return isCancelled() ? null : { runs: new Uint32Array(runs) }
}

function getLineEnd(text: string, lineStarts: Uint32Array, line: number): number {
  const end = lineStarts[line + 1] ?? text.length
  if (text[end - 1] !== '\n' || end === lineStarts[line]) return end
  return text[end - 2] === '\r' ? end - 2 : end - 1
}

/**
 * Finds the next entry of a level after a line, or the one before it, and its place among all of them, from 1. After the
 * last comes the first.
 */
export function findEntry(
  { levels, continues }: Pick<ParsedLog, 'levels' | 'continues'>,
  level: LevelCode,
  from: number,
  isBackwards: boolean,
) {
  const entries: number[] = []
  for (let index = 0; index < levels.length; index++)
    if (levels[index] === level && continues[index] === 0) entries.push(index)
  if (entries.length === 0) return null
  const before = findLastAtMost(entries, isBackwards ? from - 1 : from)
  const at = (isBackwards ? before + entries.length : before + 1) % entries.length
  return { index: entries[at] ?? 0, position: at + 1, count: entries.length }
}
