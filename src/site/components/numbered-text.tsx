import {
  type Cut,
  isNumbered,
  numberChunks,
  numbersClasses,
  textChunks,
  textClasses,
} from '../../documents/lines.ts'
import { SLICE, slices } from '../../streaming.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { escapeText, Verbatim } from './verbatim.tsx'

/** The text in its chunks, as HTML in pieces. */
export function* writeChunks(text: string, cut: Cut): Generator<string> {
  let piece = ''
  for (const chunk of textChunks(text, cut)) {
    piece += '<span class="chunk">'
    for (const slice of slices(chunk)) {
      piece += escapeText(slice)
      if (piece.length < SLICE) continue
      yield piece
      piece = ''
    }
    piece += '</span>'
  }
  yield piece
}

/** Where the script is that finds what to highlight. */
export const HIGHLIGHTER = { 'data-highlighter': SCRIPTS.highlightWorker } as const

interface NumberedTextProps {
  readonly text: string
  readonly cut: Cut
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
      <pre class={numbersClasses(cut).join(' ')} aria-hidden="true">
        {Array.from(numberChunks(cut), (numbers) =>
          cut.linesEach === null ? numbers : <span class="chunk">{numbers}</span>,
        )}
      </pre>
    )}
    <pre class={textClasses(cut).join(' ') || undefined}>
      <code id="text">
        <Verbatim text={text} />
      </code>
    </pre>
  </section>
)
