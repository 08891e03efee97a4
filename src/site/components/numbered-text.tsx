/** Lines as an editor counts them: a line break at the end begins no further line. */
function lineCount(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) {
    count += 1
  }
  return count
}

/**
 * A text with the numbers of its lines in a column of their own: two elements, however long the text,
 * and a selection takes none of the numbers along.
 */
export const NumberedText = ({ text }: { text: string }) => {
  const numbers = Array.from({ length: lineCount(text) }, (_, index) => index + 1).join('\n')
  return (
    // A region that scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class="text" aria-label="Text of the document" tabindex={0}>
      <pre class="numbers" aria-hidden="true">
        {numbers}
      </pre>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  )
}
