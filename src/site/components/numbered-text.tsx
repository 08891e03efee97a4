/** More numbers than anyone counts, and already a megabyte of them. */
const MOST_NUMBERS = 200_000

/** Lines as an editor counts them: a line break at the end begins no further line. */
function lineCount(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) {
    count += 1
  }
  return count
}

function lineNumbers(text: string): string | null {
  const count = lineCount(text)
  return count > MOST_NUMBERS ? null : Array.from({ length: count }, (_, index) => index + 1).join('\n')
}

interface NumberedTextProps {
  readonly text: string
  /** What stands in place of the text: it comes later. */
  readonly slot?: string | undefined
}

/**
 * A text with the numbers of its lines in a column of their own: two elements, however long the text,
 * and a selection takes none of the numbers along.
 */
export const NumberedText = ({ text, slot }: NumberedTextProps) => {
  const numbers = lineNumbers(text)
  return (
    // A region that scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class="text" aria-label="Text of the document" tabindex={0}>
      {numbers !== null && (
        <pre class="numbers" aria-hidden="true">
          {numbers}
        </pre>
      )}
      <pre>
        <code>{slot ?? text}</code>
      </pre>
    </section>
  )
}
