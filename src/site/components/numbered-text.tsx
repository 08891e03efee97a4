import type { Child } from 'hono/jsx'
import { SLICE, slices } from '../../streaming.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { escapeText, Verbatim } from './verbatim.tsx'

/** More numbers than anyone counts, and already a megabyte of them. */
const MOST_NUMBERS = 200_000

/** Lines as an editor counts them: a line break at the end begins no further line. */
export function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) {
    count += 1
  }
  return count
}

/** Lines of a chunk, as the stylesheet knows them. */
const CHUNK_LINES = [500, 50, 5] as const

/** UTF-16 units that a chunk has at most, where all lines are about as long. */
const MOST_CHUNK_UNITS = 64 * 1024

/**
 * In chunks of how many lines a text is shown; null: as a whole. A browser lays out only the chunks that are
 * in sight, so that 200,000 lines do not stop it; how high the others are it knows from their lines.
 */
export function chunkLines(text: string, lines: number): number | null {
  if (text.length <= SLICE) return null
  const units = text.length / lines
  return CHUNK_LINES.find((each) => each * units <= MOST_CHUNK_UNITS) ?? 5
}

/** The text in chunks of that many lines, as HTML in pieces. Each chunk but the last ends with a line break. */
export function* writeChunks(text: string, linesEach: number): Generator<string> {
  let piece = ''
  for (let start = 0; start < text.length; ) {
    let end = start
    for (let line = 0; line < linesEach && end < text.length; line++) {
      const lineBreak = text.indexOf('\n', end)
      end = lineBreak === -1 ? text.length : lineBreak + 1
    }
    piece += '<span class="chunk">'
    for (const slice of slices(text.slice(start, end))) {
      piece += escapeText(slice)
      if (piece.length < SLICE) continue
      yield piece
      piece = ''
    }
    piece += '</span>'
    start = end
  }
  yield piece
}

const lineNumbers = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).join('\n')

function* numberChunks(lines: number, linesEach: number): Generator<Child> {
  for (let from = 1; from <= lines; from += linesEach) {
    const to = Math.min(lines, from + linesEach - 1)
    yield <span class="chunk">{`${lineNumbers(from, to)}${to < lines ? '\n' : ''}`}</span>
  }
}

/** Where the script is that finds what to highlight. */
export const HIGHLIGHTER = { 'data-highlighter': SCRIPTS.highlightWorker } as const

interface NumberedTextProps {
  readonly lines: number
  readonly text: string
  /** In chunks of how many lines the text is shown, see `chunkLines`. */
  readonly linesEach: number | null
  /** What scripts need to know of the text. */
  readonly data?: Readonly<Record<`data-${string}`, string>>
}

/**
 * A text with the numbers of its lines in a column of their own: two elements, or two chunks of many lines,
 * however long the text, and a selection takes none of the numbers along.
 */
export const NumberedText = ({ lines, text, linesEach, data }: NumberedTextProps) => {
  const chunks = linesEach === null ? undefined : `chunks-${linesEach}`
  return (
    // A region that scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class="text" aria-label="Text of the document" tabindex={0} {...data}>
      {lines <= MOST_NUMBERS && (
        <pre
          class={chunks ? `numbers digits-${String(lines).length} ${chunks}` : 'numbers'}
          aria-hidden="true"
        >
          {linesEach === null ? lineNumbers(1, lines) : [...numberChunks(lines, linesEach)]}
        </pre>
      )}
      <pre class={chunks}>
        <code id="text">
          <Verbatim text={text} />
        </code>
      </pre>
    </section>
  )
}
