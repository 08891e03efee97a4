/** Lines of a chunk, as of the text itself. */
const CHUNK_LINES = 500

/** Chunks that are made at a time. */
const AT_ONCE = 50

/** A text in an element of its own, in chunks of which the browser lays out those in sight. */
export async function terminalText(text: string): Promise<HTMLElement> {
  const element = document.createElement('pre')
  const content = document.createElement('span')
  element.className = `terminal chunks-${CHUNK_LINES}`
  content.className = 'terminal-text'
  for (let start = 0; start < text.length; ) {
    let end = start
    for (let line = 0; line < CHUNK_LINES && end < text.length; line++) {
      const lineBreak = text.indexOf('\n', end)
      end = lineBreak === -1 ? text.length : lineBreak + 1
    }
    const chunk = document.createElement('span')
    chunk.className = 'chunk'
    chunk.textContent = text.slice(start, end)
    content.append(chunk)
    start = end
    if (content.childElementCount % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve))
  }
  element.append(content)
  return element
}
