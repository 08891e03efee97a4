/** More numbers than anyone counts, and already a megabyte of them. */
const MOST_NUMBERS = 200_000

/** Lines of a chunk, as the stylesheet knows them. */
const CHUNK_LINES = [500, 50, 5] as const

/** More chunks than that take a browser longer than the text in them. */
const MOST_CHUNKS = 40_000

/** UTF-16 units that a browser lays out at once: a whole text, or twice as many of a chunk. */
const MOST_UNITS = 64 * 1024

/**
 * UTF-16 units of a line that is shown as one. A longer one is shown in pieces, of which a browser lays out
 * those in sight: as a whole, a megabyte of escapes or of changing directions stops it for minutes.
 */
export const LONGEST_WHOLE = 10_000

/** UTF-16 units of a piece, as the stylesheet knows them. */
const PIECE = 4_096

/** How far before the end of a piece a space is looked for, so that most words stay whole. */
const NEAR = 256

/** How a text is cut so that it can be shown. */
export interface Cut {
  /** Lines as an editor counts them: a line break at the end begins no further line. */
  readonly lines: number
  /** Lines of a chunk; null: the text is shown as a whole. */
  readonly linesEach: number | null
}

/** Of a text that is not there yet. */
export const UNCUT: Cut = { lines: 0, linesEach: null }

/** How many lines a text has, and how many units the heaviest chunk of each size would have. */
function weigh(text: string): { lines: number; heaviest: number[] } {
  const heaviest = CHUNK_LINES.map(() => 0)
  const units = CHUNK_LINES.map(() => 0)
  let lines = 0
  for (let start = 0; start < text.length || lines === 0; ) {
    const lineBreak = text.indexOf('\n', start)
    const end = lineBreak === -1 ? text.length : lineBreak + 1
    // Of a longer line only the last piece is laid out with others.
    const weight = end - start > LONGEST_WHOLE ? PIECE : end - start
    for (let index = 0; index < CHUNK_LINES.length; index++) {
      const sum = (lines % (CHUNK_LINES[index] ?? 1) === 0 ? 0 : (units[index] ?? 0)) + weight
      units[index] = sum
      if (sum > (heaviest[index] ?? 0)) heaviest[index] = sum
    }
    lines += 1
    start = end
  }
  return { lines, heaviest }
}

/**
 * In chunks of how many lines a text is shown. A browser lays out only the chunks that are in sight, so that
 * 200,000 lines do not stop it; how high the others are it knows from their lines.
 */
export function cutLines(text: string): Cut {
  const { lines, heaviest } = weigh(text)
  if (text.length <= MOST_UNITS) return { lines, linesEach: null }
  const linesEach = CHUNK_LINES.find(
    (_, index) =>
      (heaviest[index] ?? 0) <= 2 * MOST_UNITS || lines / (CHUNK_LINES[index + 1] ?? 1) > MOST_CHUNKS,
  )
  return { lines, linesEach: linesEach ?? 5 }
}

/** The text in its chunks. Each but the last ends with a line break. */
export function* textChunks(text: string, { linesEach }: Cut): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = linesEach === null ? text.length : start
    for (let line = 0; line < (linesEach ?? 0) && end < text.length; line++) {
      const lineBreak = text.indexOf('\n', end)
      end = lineBreak === -1 ? text.length : lineBreak + 1
    }
    yield text.slice(start, end)
    start = end
  }
}

/** What is drawn together with what stands before it, the other half of a character included. */
const JOINED = /^[\p{M}\p{Cs}\p{Emoji_Modifier}\u200C\u200D]/u
const MOST_JOINED = 64

function pieceEnd(line: string, start: number): number {
  const space = line.slice(start + PIECE - NEAR, start + PIECE).lastIndexOf(' ')
  let end = start + PIECE - (space === -1 ? 0 : NEAR - space - 1)
  const most = end + MOST_JOINED
  while (end < most && (line[end - 1] === '\u200D' || JOINED.test(line.slice(end, end + 2)))) end += 1
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(line.slice(end - 1, end + 1)) ? end + 1 : end
}

/** Text that is laid out as one. */
export interface Part {
  readonly text: string
  /** Whether it is a piece of a long line, which has a box of its own. The last one, with the line break, has none. */
  readonly piece: boolean
}

/** A chunk in its parts: pieces of long lines, and what stands before, between and behind them. */
export function* chunkParts(chunk: string): Generator<Part> {
  let [from, start] = [0, 0]
  while (chunk.length - start > LONGEST_WHOLE) {
    const lineBreak = chunk.indexOf('\n', start)
    const next = lineBreak === -1 ? chunk.length : lineBreak + 1
    if (next - start > LONGEST_WHOLE) {
      if (from < start) yield { text: chunk.slice(from, start), piece: false }
      for (let end = pieceEnd(chunk, start); end < next; end = pieceEnd(chunk, start)) {
        yield { text: chunk.slice(start, end), piece: true }
        start = end
      }
      from = start
    }
    start = next
  }
  yield { text: chunk.slice(from), piece: false }
}

/** Whether the lines have numbers. */
export const isNumbered = ({ lines }: Cut): boolean => lines <= MOST_NUMBERS

/** The numbers of the lines, in chunks as the text is. */
export function* numberChunks({ lines, linesEach }: Cut): Generator<string> {
  for (let from = 1; from <= lines; from += linesEach ?? lines) {
    const to = Math.min(lines, from + (linesEach ?? lines) - 1)
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index).join('\n')
    yield to < lines ? `${numbers}\n` : numbers
  }
}

/** The classes by which the stylesheet knows how high a chunk is. */
export const textClasses = ({ linesEach }: Cut): string[] =>
  linesEach === null ? [] : [`chunks-${linesEach}`]

/** The same for the numbers, whose width it knows too. */
export const numbersClasses = (cut: Cut): string[] =>
  cut.linesEach === null
    ? ['numbers']
    : ['numbers', `digits-${String(cut.lines).length}`, ...textClasses(cut)]
