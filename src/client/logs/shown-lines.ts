import { getTokensBetween, type Tokens } from '../highlight/tokens.ts'
import { findLastAtMost } from '../text/displayed-text.ts'
import type { LineRuns } from './filter-lines.ts'
import { TRACE_SIZE } from './parse-log.ts'

interface NumberRange {
  readonly first: number
  readonly last: number
}

/** Positions and numbers count from 1; a line keeps its number wherever it is shown. */
export class ShownLines {
  readonly runs: LineRuns
  readonly count: number
  readonly #before: readonly number[]

  constructor(runs: LineRuns) {
    const before: number[] = []
    let count = 0
    for (let index = 0; index < runs.length; index += 2) {
      before.push(count)
      count += (runs[index + 1] ?? 0) - (runs[index] ?? 0)
    }
    this.runs = runs
    this.count = count
    this.#before = before
  }

  numberAt(position: number): number {
    const run = Math.max(0, findLastAtMost(this.#before, position - 1))
    return (this.runs[run * 2] ?? 0) + position - (this.#before[run] ?? 0)
  }

  findPositions({ first, last }: NumberRange): NumberRange | null {
    const positions = { first: this.#countBefore(first) + 1, last: this.#countBefore(last + 1) }
    return positions.first > positions.last ? null : positions
  }

  #countBefore(number: number): number {
    const run = findLastAtMost(this.runs, number - 1, 2)
    if (run === -1) return 0
    const [from, to] = [this.runs[run * 2] ?? 0, this.runs[run * 2 + 1] ?? 0]
    return (this.#before[run] ?? 0) + Math.min(number - 1, to) - from
  }
}

/** A trace stays unfolded if its header isn't shown. */
export function foldTraces(runs: LineRuns, traces: Uint32Array, folded: ReadonlySet<number>): LineRuns {
  if (folded.size === 0) return runs
  const rest: number[] = []
  let trace = 0
  for (let index = 0; index < runs.length; index += 2) {
    let from = runs[index] ?? 0
    const to = runs[index + 1] ?? 0
    for (; (traces[trace * TRACE_SIZE] ?? to) < to; trace++) {
      const [header = 0, start = 0, end = 0] = traces.subarray(trace * TRACE_SIZE, (trace + 1) * TRACE_SIZE)
      if (header < from || !folded.has(trace)) continue
      if (from < Math.min(start, to)) rest.push(from, Math.min(start, to))
      from = Math.min(to, end)
    }
    if (from < to) rest.push(from, to)
  }
  return new Uint32Array(rest)
}

export const showAll = (lines: number): LineRuns => new Uint32Array(lines > 0 ? [0, lines] : [])

export function getShownText(text: string, lineStarts: Uint32Array, runs: LineRuns): string {
  const parts: string[] = []
  for (let index = 0; index < runs.length; index += 2) {
    parts.push(text.slice(lineStarts[runs[index] ?? 0], lineStarts[runs[index + 1] ?? 0]))
  }
  return parts.join('')
}

/** The offsets are those in the text of the shown lines. */
export function getShownTokens(tokens: Tokens, lineStarts: Uint32Array, runs: LineRuns): Tokens {
  const shown: number[] = []
  let offset = 0
  for (let index = 0; index < runs.length; index += 2) {
    const start = lineStarts[runs[index] ?? 0] ?? 0
    const end = lineStarts[runs[index + 1] ?? 0] ?? 0
    if (start === 0 && runs.length === 2 && end === lineStarts.at(-1)) return tokens
    for (const { from, to, style } of getTokensBetween(tokens, start, end)) {
      shown.push(Math.max(from, start) - start + offset, Math.min(to, end) - start + offset, style)
    }
    offset += end - start
  }
  return new Uint32Array(shown)
}
