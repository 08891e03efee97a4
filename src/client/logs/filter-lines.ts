import type { LevelCode } from './levels.ts'
import type { ParsedLog } from './parse-log.ts'

/** What a reader wants to see of a log. */
export interface LogFilter {
  /** The levels to show; all lines if there are none. */
  readonly levels: readonly LevelCode[]
  /** The text or pattern that an entry must contain; any if it's empty. */
  readonly query: string
  readonly isPattern: boolean
  /** The lines to show before and after each entry. */
  readonly contextLines: number
}

/** Runs of consecutive lines that are shown: the first line of each, from 0, and the line after its last one. */
export type LineRuns = Uint32Array<ArrayBuffer>

/** Returns true if a filter shows every line. */
export const showsEverything = ({ levels, query }: LogFilter): boolean => levels.length === 0 && query === ''

interface FilterOptions {
  /** Returns true if a line contains what is searched. */
  readonly matches: (line: string) => boolean
  /** Called between two slices of work. Returns false once the result is no longer needed. */
  readonly proceed: () => Promise<boolean>
}

/** Lines that are searched between two calls of `proceed`. */
const SLICE_LINES = 10_000

/**
 * Finds the entries of a log that a filter shows, with all their lines. An entry matches if one of its lines does.
 *
 * @returns null if the work was stopped.
 */
export async function filterLines(
  text: string,
  { lineStarts, levels, continues }: ParsedLog,
  filter: LogFilter,
  { matches, proceed }: FilterOptions,
): Promise<LineRuns | null> {
  const lines = levels.length
  const shown = new Set(filter.levels)
  const runs: number[] = []
  const add = (first: number, end: number) => {
    const from = Math.max(0, first - filter.contextLines)
    const to = Math.min(lines, end + filter.contextLines)
    if (runs.length > 0 && from <= (runs.at(-1) ?? 0)) runs[runs.length - 1] = Math.max(to, runs.at(-1) ?? 0)
    else runs.push(from, to)
  }
  let checked = 0
  for (let first = 0; first < lines; ) {
    let end = first + 1
    while (end < lines && continues[end] === 1) end += 1
    if (shown.size === 0 || shown.has((levels[first] ?? 0) as LevelCode)) {
      for (let line = first; line < end; line++) {
        if (filter.query !== '' && !matches(text.slice(lineStarts[line], getLineEnd(text, lineStarts, line))))
          continue
        add(first, end)
        break
      }
    }
    first = end
    if (first - checked < SLICE_LINES) continue
    checked = first
    if (!(await proceed())) return null
  }
  return new Uint32Array(runs)
}

/** Returns the end offset of a line without its line break. */
function getLineEnd(text: string, lineStarts: Uint32Array, line: number): number {
  const end = lineStarts[line + 1] ?? text.length
  if (text[end - 1] !== '\n' || end === lineStarts[line]) return end
  return text[end - 2] === '\r' ? end - 2 : end - 1
}

/** Returns the number of lines in runs. */
export function countLines(runs: LineRuns): number {
  let count = 0
  for (let index = 0; index < runs.length; index += 2) count += (runs[index + 1] ?? 0) - (runs[index] ?? 0)
  return count
}
