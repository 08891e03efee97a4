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

const lineNumbers = (lines: number): string =>
  Array.from({ length: lines }, (_, index) => index + 1).join('\n')

interface NumberedTextProps {
  readonly lines: number
  readonly text: string
}

/**
 * A text with the numbers of its lines in a column of their own: two elements, however long the text,
 * and a selection takes none of the numbers along.
 */
export const NumberedText = ({ lines, text }: NumberedTextProps) => (
  // A region that scrolls must be reachable by keyboard (WCAG 2.1.1).
  <section class="text" aria-label="Text of the document" tabindex={0}>
    {lines <= MOST_NUMBERS && (
      <pre class="numbers" aria-hidden="true">
        {lineNumbers(lines)}
      </pre>
    )}
    <pre>
      <code>{text}</code>
    </pre>
  </section>
)
