import { getTokensBetween, type Tokens } from '../highlight/tokens.ts'
import type { LineRuns } from './filter-lines.ts'

/** Returns the text of the lines that are shown. */
export function getShownText(text: string, lineStarts: Uint32Array, runs: LineRuns): string {
  const parts: string[] = []
  for (let index = 0; index < runs.length; index += 2) {
    parts.push(text.slice(lineStarts[runs[index] ?? 0], lineStarts[runs[index + 1] ?? 0]))
  }
  return parts.join('')
}

/** Returns the tokens of the lines that are shown, with offsets in the text of these lines. */
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
