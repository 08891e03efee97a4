import { AppError } from '../errors.ts'
import { CR, hasCrLines, LF } from '../shared/lines.ts'

/** A range of lines, which count from 1. `to` is null for the rest of the text. */
export type LineRange = ReturnType<typeof parseLinesParameter>

/** Reads `10-40`, `10-` or `10`, and `L10-L40` as in links to lines. @throws AppError `bad_request`. */
export function parseLinesParameter(value: string) {
  const [, first, dash, last] = /^L?(\d{1,9})(?:(-)(?:L?(\d{1,9}))?)?$/.exec(value) ?? []
  const from = Number(first)
  const to = last !== undefined ? Number(last) : dash ? null : from
  if (!(from >= 1) || (to !== null && to < from)) {
    throw new AppError('bad_request', 'Write lines as 10-40, 10- or 10. The first line is 1')
  }
  return { from, to }
}

/**
 * Returns the lines, or how many the text has if the range starts after its end. Only a text with CR alone is decoded.
 *
 * @param text UTF-8.
 */
export function selectLines(text: Uint8Array, { from, to }: LineRange): Uint8Array | number {
  const end = !text.includes(LF) && text.includes(CR) && hasCrLines(new TextDecoder().decode(text)) ? CR : LF
  const skip = (start: number, lines: number): number => {
    let at = start
    for (let left = lines; left > 0 && at < text.length; at++) if (text[at] === end) left -= 1
    return at
  }
  const start = skip(0, from - 1)
  if (start < text.length) return text.subarray(start, to === null ? undefined : skip(start, to - from + 1))
  let lines = 0
  for (let at = 0; at < text.length; at++) if (text[at] === end) lines += 1
  return text.length === 0 || text.at(-1) === end ? lines : lines + 1
}
