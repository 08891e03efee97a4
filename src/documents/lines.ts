/** More numbers than anyone counts, and already a megabyte of them. */
const MOST_NUMBERS = 200_000

/** Lines of a chunk, as the stylesheet knows them. */
const CHUNK_LINES = [500, 50, 5] as const

/** UTF-16 units that a browser lays out at once: a whole text, or a chunk where all lines are about as long. */
const MOST_UNITS = 64 * 1024

/** How a text is cut so that it can be shown. */
export interface Cut {
  /** Lines as an editor counts them: a line break at the end begins no further line. */
  readonly lines: number
  /** Lines of a chunk; null: the text is shown as a whole. */
  readonly linesEach: number | null
}

/** Of a text that is not there yet. */
export const UNCUT: Cut = { lines: 0, linesEach: null }

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) {
    count += 1
  }
  return count
}

/**
 * In chunks of how many lines a text is shown. A browser lays out only the chunks that are in sight, so that
 * 200,000 lines do not stop it; how high the others are it knows from their lines.
 */
export function cutLines(text: string): Cut {
  const lines = countLines(text)
  if (text.length <= MOST_UNITS) return { lines, linesEach: null }
  const units = text.length / lines
  return { lines, linesEach: CHUNK_LINES.find((each) => each * units <= MOST_UNITS) ?? 5 }
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
