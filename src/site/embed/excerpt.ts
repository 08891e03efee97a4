import { type LineRange, selectLines } from '../../http/answers/line-range.ts'
import { planChunks } from '../../shared/text/lines.ts'

/** The most lines that an embed shows. */
export const MAX_EMBEDDED_LINES = 2_000

/** The most UTF-16 units that an embed shows. A frame on another site must not make that site slow. */
export const MAX_EMBEDDED_UNITS = 256 * 1024

/** The lines of a document that an embed shows. */
export interface Excerpt {
  readonly text: string
  /** The numbers of the first and the last line, counted from 1. */
  readonly from: number
  readonly to: number
  /** The number of lines in the document. */
  readonly lineCount: number
  /** Whether the lines that were asked for are too long to show all of them. */
  readonly isShortened: boolean
}

/** Cuts a text after its last whole line within the limit, or within its first line if that is longer. */
function shorten(text: string): string {
  const lineBreak = text.lastIndexOf('\n', MAX_EMBEDDED_UNITS - 1)
  if (lineBreak !== -1) return text.slice(0, lineBreak + 1)
  // A surrogate pair is one character and must not be split.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(MAX_EMBEDDED_UNITS - 1))
    ? MAX_EMBEDDED_UNITS - 1
    : MAX_EMBEDDED_UNITS
  return text.slice(0, end)
}

/**
 * Returns the lines of a text that an embed shows, or null if the text ends before them.
 *
 * @param range the lines that were asked for; null for all.
 */
export function selectExcerpt(content: string, range: LineRange | null): Excerpt | null {
  const { lineCount } = planChunks(content)
  const from = range?.from ?? 1
  const last = Math.min(range?.to ?? lineCount, lineCount)
  const selected = selectLines(content, { from, to: Math.min(last, from + MAX_EMBEDDED_LINES - 1) })
  if (typeof selected === 'number') return null
  const text = selected.length > MAX_EMBEDDED_UNITS ? shorten(selected) : selected
  const to = from + planChunks(text).lineCount - 1
  return { text, from, to, lineCount, isShortened: to < last || text.length < selected.length }
}

/** Describes the lines of an excerpt: "Lines 10–40 of 120", or null if it's the whole document. */
export function formatExcerpt({ from, to, lineCount }: Excerpt): string | null {
  if (from === 1 && to === lineCount) return null
  const format = (line: number) => line.toLocaleString('en')
  return from === to
    ? `Line ${format(from)} of ${format(lineCount)}`
    : `Lines ${format(from)}–${format(to)} of ${format(lineCount)}`
}
