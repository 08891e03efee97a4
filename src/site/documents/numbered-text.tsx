import { raw } from 'hono/html'
import { SLICE_CHARACTERS, splitSlices } from '../../platform/streaming.ts'
import {
  formatLineNumbers,
  getNumbersClasses,
  getTextClasses,
  isNumbered,
  splitChunk,
  splitText,
  type TextChunks,
} from '../../shared/lines.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { escapeText, Verbatim } from '../components/verbatim.tsx'

function* chunkHtml(text: string, cut: TextChunks): Generator<string> {
  for (const chunk of splitText(text, cut)) {
    yield '<span class="chunk">'
    for (const { text: part, isSegment: piece } of splitChunk(chunk)) {
      if (piece) yield `<span class="piece">${escapeText(part)}</span>`
      else for (const slice of splitSlices(part)) yield escapeText(slice)
    }
    yield '</span>'
  }
}

/** The text in its chunks, as HTML in slices. */
export function* writeChunks(text: string, cut: TextChunks): Generator<string> {
  let html = ''
  for (const part of chunkHtml(text, cut)) {
    html += part
    if (html.length < SLICE_CHARACTERS) continue
    yield html
    html = ''
  }
  yield html
}

/** Where the script is that finds what to highlight. */
export const HIGHLIGHTER = { 'data-highlight-worker': SCRIPTS.highlightWorker } as const

/** More lines than anybody links to without scripts. */
const MOST_PLACES = 1_000

/** The numbers of the lines; of few, each is the place that a link to its line leads to. */
function lineNumbers(cut: TextChunks) {
  if (cut.linesPerChunk !== null || cut.lineCount > MOST_PLACES)
    return Array.from(formatLineNumbers(cut), (numbers) =>
      cut.linesPerChunk === null ? numbers : <span class="chunk">{numbers}</span>,
    )
  const place = (_: unknown, index: number) => `<span id="L${index + 1}">${index + 1}</span>`
  return raw(Array.from({ length: cut.lineCount }, place).join('\n'))
}

interface NumberedTextProps {
  readonly text: string
  readonly cut: TextChunks
  /** What scripts need to know of the text. */
  readonly data?: Readonly<Record<`data-${string}`, string>>
}

/**
 * A text with the numbers of its lines in a column of their own: two elements, or two chunks of many lines,
 * however long the text, and a selection takes none of the numbers along.
 */
export const NumberedText = ({ text, cut, data }: NumberedTextProps) => (
  // A region that scrolls must be reachable by keyboard (WCAG 2.1.1).
  <section class="text" aria-label="Text of the document" tabindex={0} {...data}>
    {isNumbered(cut) && (
      <pre class={getNumbersClasses(cut).join(' ')} aria-hidden="true">
        {lineNumbers(cut)}
      </pre>
    )}
    <pre class={getTextClasses(cut).join(' ') || undefined}>
      <code id="text">
        <Verbatim text={text} />
      </code>
    </pre>
  </section>
)
