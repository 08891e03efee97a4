import { leaveOut, replaceCharacter } from './rewrite.ts'

export type LineBreaks = 'lf' | 'crlf' | 'cr' | 'mixed'

/** A progress bar has a percentage, or a bar. */
const PROGRESS = /\d ?%|[[|(][#=█▓▒░>.\s-]{5,}|[█▓▒░]{3,}/u
/** A row of a table has a separator that isn't one of thousands. */
const CELLS = /[^\s,;][,;\t](?!\d{3}(?!\d))\S/
const MAX_STATES = 100

/** Tells whether a line shows the states of a progress: they have the same words, and other numbers. */
function isProgress(text: string): boolean {
  const states = text
    .slice(0, 64 * MAX_STATES)
    .split('\r')
    .filter((state) => state.trim() !== '')
  const words = states.map((state) => state.replaceAll(/[^\p{L}]+/gu, ''))
  const similar = states.filter(
    (state, index) => PROGRESS.test(state) && !CELLS.test(state) && words[index] === words[index - 1],
  )
  return similar.length > 0 && similar.length >= (states.length - 1) / 2
}

/**
 * Returns true if CR ends lines, as on the first Macs: if the text has no LF and isn't the output of a program. In such
 * output, which has escape sequences, backspaces or the states of a progress bar, and beside an LF, CR goes back to the
 * start of the line. Pass the whole text, since one LF decides. Everything that counts or shows lines asks here, or gets
 * its text from `toShownLines`.
 */
export const hasCrLines = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  !text.includes('\n') && text.includes('\r') && !/[\b\x1B]/.test(text) && !isProgress(text)

export function detectLineBreaks(text: string): LineBreaks {
  if (!text.includes('\r')) return 'lf'
  if (hasCrLines(text)) return 'cr'
  return /(?<!\r)\n|\r(?!\n)/.test(text) ? 'mixed' : 'crlf'
}

export const MIXED_LINE_BREAKS =
  'This text has mixed line breaks. If you edit it here, they’ll all be converted to LF.'

/** Puts them in place of LF. Mixed ones have become LF. */
export function withLineBreaks(text: string, lineBreaks: string | undefined): string {
  if (lineBreaks === 'crlf') return replaceCharacter(text, '\n', '\r\n')
  return lineBreaks === 'cr' ? replaceCharacter(text, '\n', '\r') : text
}

/** Puts an LF in the place of each CR LF, which forms send for every line break. */
export const joinCrLf = (text: string): string =>
  text.includes('\r\n') ? leaveOut(text, (byte, next) => byte === CR && next === LF) : text

export const LF = 0x0a
export const CR = 0x0d

/** Puts an LF in the place of each CR that ends a line, since a page breaks lines at LF. */
export const toShownLines = (text: string): string =>
  hasCrLines(text) ? replaceCharacter(text, '\r', '\n') : text

/** Starting `indexOf` takes about as long, which counts where there are millions of empty lines. */
const CHARACTERS_TO_LOOK_AT = 16

/** Returns where they end, or the end of a text that has fewer. */
export function skipLines(text: string, start: number, lines: number): number {
  let at = start
  let near = start + CHARACTERS_TO_LOOK_AT
  for (let left = lines; left > 0 && at < text.length; at++) {
    if (at === near) at = text.indexOf('\n', at)
    if (at === -1) return text.length
    if (text.charCodeAt(at) !== LF) continue
    left -= 1
    near = at + 1 + CHARACTERS_TO_LOOK_AT
  }
  return at
}

/** Counts the line breaks before an offset. */
export function countLineBreaks(text: string, to = text.length): number {
  let count = 0
  for (let at = 0; at < to; at++) if (text.charCodeAt(at) === LF) count += 1
  return count
}

export const CR_LABEL = 'CR line breaks'

/** Lines per chunk: a chunk that takes long to lay out is divided into smaller ones. The stylesheet depends on them. */
const CHUNK_LINES = [2_500, 500, 50, 10, 2] as const
type ChunkLines = (typeof CHUNK_LINES)[number]
const USUAL_CHUNK_LINES = 500
/** A text with more lines has larger chunks, since very many chunks are slow. In larger ones, lines take longer to find. */
const MAX_USUAL_LINES = 2_000_000

/** UTF-16 units, and lines, of a text that is laid out as a whole. A chunk has no more units, unless it has very few lines. */
export const MAX_UNITS_AT_ONCE = 64 * 1024

/** A text area lays out its text as a whole, so a longer one waits for the code editor. */
export const isLongField = (text: string): boolean => text.length > MAX_UNITS_AT_ONCE
const MAX_LINES_AT_ONCE = 2_000

/** A longer line is split into segments. As a whole, a megabyte of escapes or direction changes would freeze a page. */
export const MAX_WHOLE_LINE_UNITS = 10_000

/** UTF-16 units per segment. The stylesheet depends on it. */
const SEGMENT_UNITS = 4_096

/** Segments in a box of their own. For thousands of boxes, styles would take a browser long. The stylesheet depends on it. */
const STRETCH_SEGMENTS = 32

export interface TextChunks {
  /** Lines as an editor counts them: a line break at the end doesn't start another line. */
  readonly lineCount: number
  /** Some chunks have fewer lines. Is null if the text is shown as a whole. */
  readonly linesPerChunk: ChunkLines | null
  /** The length of the longest line, in UTF-16 units. */
  readonly longestLine: number
  readonly escapes: number
}

export const NO_CHUNKS: TextChunks = { lineCount: 0, linesPerChunk: null, longestLine: 0, escapes: 0 }

/** No font has them, so a browser looks for one each time, for as long as it lays out so many other characters. */
const MAX_ESCAPES_AT_ONCE = 1_000
/** How many chunks of each size are divided for their escapes: more would take a browser longer, and be too high. */
const MAX_DIVIDED: Readonly<Partial<Record<ChunkLines, number>>> = { 2500: 1_500, 500: 400 }

const ESCAPE = 0x1b

function countEscapes(text: string): number {
  const first = text.indexOf('\x1B')
  if (first === -1) return 0
  let count = 0
  for (let at = first; at < text.length; at++) if (text.charCodeAt(at) === ESCAPE) count += 1
  return count
}

/** Counts what is laid out together: a browser lays out the segments of a long line one by one, all but the last. */
function countUnits(text: string): number {
  let units = 0
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = skipLines(text, start, 1)
    units += end - start > MAX_WHOLE_LINE_UNITS ? SEGMENT_UNITS : end - start
  }
  return units
}

/** Browsers can't lay out what is higher than 2^25 CSS pixels, which 1.2 million lines are in the largest font. */
const MAX_FULL_HEIGHT_LINES = 1_000_000

/** A browser lays out only the visible chunks, so 200,000 lines don't freeze it, and knows the height of the others. */
export function planChunks(text: string): TextChunks {
  let [lineCount, longestLine] = [0, 0]
  for (let start = 0, end = 0; start < text.length || lineCount === 0; start = end) {
    end = skipLines(text, start, 1)
    longestLine = Math.max(longestLine, end - start)
    lineCount += 1
  }
  const escapes = countEscapes(text)
  const isShort =
    text.length <= MAX_UNITS_AT_ONCE && lineCount <= MAX_LINES_AT_ONCE && escapes <= MAX_ESCAPES_AT_ONCE
  const linesPerChunk = lineCount > MAX_USUAL_LINES ? CHUNK_LINES[0] : USUAL_CHUNK_LINES
  return { lineCount, linesPerChunk: isShort ? null : linesPerChunk, longestLine, escapes }
}

/** A chunk of a text, or of its line numbers. */
export interface Chunk {
  readonly text: string
  /** The number of lines in the chunk. */
  readonly lines: number
  readonly className: string
}

/** `:last-of-type` doesn't do: each chunk is that for a moment while a long text arrives. */
const LAST_CHUNK = 'chunk last'

/** Divides only the chunks that take long: more of them would take a browser longer than the text in them. */
export function* splitText(
  text: string,
  { linesPerChunk, lineCount, escapes }: TextChunks,
): Generator<Chunk> {
  let linesLeft = lineCount
  const takesLong = (part: string, size: ChunkLines) => {
    if (part.length > MAX_UNITS_AT_ONCE && countUnits(part) > MAX_UNITS_AT_ONCE) return true
    const most = MAX_DIVIDED[size]
    return most !== undefined && countEscapes(part) > Math.max(MAX_ESCAPES_AT_ONCE, escapes / most)
  }
  function* split(whole: string, size: ChunkLines): Generator<Chunk> {
    const smaller = CHUNK_LINES.find((lines) => lines < size)
    for (let start = 0, end = 0; start < whole.length; start = end) {
      end = skipLines(whole, start, size)
      const part = whole.slice(start, end)
      if (smaller && takesLong(part, size)) {
        yield* split(part, smaller)
        continue
      }
      const lines = Math.min(size, linesLeft)
      linesLeft -= lines
      const className = size === USUAL_CHUNK_LINES ? 'chunk' : `chunk chunk-${size}`
      yield { text: part, lines, className: linesLeft === 0 ? LAST_CHUNK : className }
    }
  }
  if (linesPerChunk !== null) yield* split(text, linesPerChunk)
  else if (lineCount > 0) yield { text, lines: lineCount, className: LAST_CHUNK }
}

/** Characters drawn together with the one before, including the second half of a surrogate pair. */
const JOINED = /^[\p{M}\p{Cs}\p{Emoji_Modifier}\u200C\u200D]/u
const MAX_JOINED_UNITS = 64

/** How far before the end of a segment to look for a space, so that most words stay whole. */
const SPACE_SEARCH_UNITS = 256

function findSegmentEnd(line: string, start: number): number {
  const space = line.slice(start + SEGMENT_UNITS - SPACE_SEARCH_UNITS, start + SEGMENT_UNITS).lastIndexOf(' ')
  let end = start + SEGMENT_UNITS - (space === -1 ? 0 : SPACE_SEARCH_UNITS - space - 1)
  const maxEnd = end + MAX_JOINED_UNITS
  while (end < maxEnd && (line[end - 1] === '\u200D' || JOINED.test(line.slice(end, end + 2)))) end += 1
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(line.slice(end - 1, end + 1)) ? end + 1 : end
}

/** The segments of a stretch of a long line, or other text. The last segment of a line, with the line break, is other text. */
export type TextPart = { readonly segments: readonly string[] } | { readonly text: string }

function* splitLongLine(chunk: string, start: number, lineEnd: number): Generator<string> {
  let from = start
  for (let end = findSegmentEnd(chunk, from); end < lineEnd; end = findSegmentEnd(chunk, from)) {
    yield chunk.slice(from, end)
    from = end
  }
}

export function* splitChunk(chunk: string): Generator<TextPart> {
  let [from, start] = [0, 0]
  while (chunk.length - start > MAX_WHOLE_LINE_UNITS) {
    const lineBreak = chunk.indexOf('\n', start)
    const next = lineBreak === -1 ? chunk.length : lineBreak + 1
    if (next - start > MAX_WHOLE_LINE_UNITS) {
      if (from < start) yield { text: chunk.slice(from, start) }
      let segments: string[] = []
      for (const segment of splitLongLine(chunk, start, next)) {
        segments.push(segment)
        start += segment.length
        if (segments.length < STRETCH_SEGMENTS) continue
        yield { segments }
        segments = []
      }
      if (segments.length > 0) yield { segments }
      from = start
    }
    start = next
  }
  yield { text: chunk.slice(from) }
}

/** The numbers of this many lines are more than a megabyte of HTML. All texts of a page count together. */
export const MAX_NUMBERED_LINES = 200_000

export const isNumbered = ({ lineCount }: TextChunks): boolean => lineCount <= MAX_NUMBERED_LINES

/** Divides them as the text: beside chunks of other sizes, they would drift, since browsers round the height of each. */
export function* formatLineNumbers(text: string, plan: TextChunks): Generator<Chunk> {
  let to = 0
  for (const chunk of splitText(text, plan)) {
    const from = to + 1
    to += chunk.lines
    let numbers = `${from}`
    for (let number = from + 1; number <= to; number++) numbers += `\n${number}`
    yield { ...chunk, text: to < plan.lineCount ? `${numbers}\n` : numbers }
  }
}

/** The styles need them for the height of a chunk, and the width of its numbers. */
export const getTextClasses = ({ lineCount }: TextChunks): string[] =>
  lineCount > MAX_FULL_HEIGHT_LINES ? ['tall'] : []

export const getNumbersClasses = ({ linesPerChunk, lineCount }: TextChunks): string[] =>
  linesPerChunk === null ? ['numbers'] : ['numbers', `digits-${String(lineCount).length}`]

/** The most lines that fit into a picture of them. */
export const MAX_PICTURED_LINES = 40
