import { AppError } from '../errors.ts'
import { hasCrLines } from '../shared/lines.ts'

/** Counted from 1. `to` is null for the rest of the text. */
export type LineRange = ReturnType<typeof parseLinesParameter>

/** Such as `10-40`, `10-` or `10`, or `L10-L40` as in links to lines. @throws AppError `bad_request`. */
export function parseLinesParameter(value: string) {
  const [, first, dash, last] = /^L?(\d{1,9})(?:(-)(?:L?(\d{1,9}))?)?$/.exec(value) ?? []
  const from = Number(first)
  const to = last !== undefined ? Number(last) : dash ? null : from
  if (!(from >= 1) || (to !== null && to < from)) {
    throw new AppError('bad_request', 'Write lines as 10-40, 10- or 10. The first line is 1')
  }
  return { from, to }
}

/** Returns the start of a line and the number of lines before it, or the end of the text and the number of its lines. */
function findLine(text: string, line: number, [start, before]: [number, number] = [0, 0]): [number, number] {
  const end = hasCrLines(text) ? '\r' : '\n'
  let [at, lines] = [start, before]
  while (lines < line - 1 && at < text.length) {
    const lineBreak = text.indexOf(end, at)
    at = lineBreak === -1 ? text.length : lineBreak + 1
    lines += 1
  }
  return [at, lines]
}

/** The lines, or how many the text has if the range starts after its end. To save memory, it splits no text. */
export function selectLines(text: string, { from, to }: LineRange): string | number {
  const found = findLine(text, from)
  const [start, before] = found
  if (start >= text.length) return before
  return text.slice(start, to === null ? undefined : findLine(text, to + 1, found)[0])
}
