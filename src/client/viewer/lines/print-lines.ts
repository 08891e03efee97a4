import type { DisplayedText } from '../../text/displayed-text.ts'

/** Longer texts are printed without line numbers. */
const MAX_LINES = 50_000

/**
 * Numbers the lines of a text on paper. Long lines wrap there, so a column of numbers would be out of step: while
 * the page is printed, each line is an item of a numbered list instead.
 *
 * @param getText returns the text that is displayed, which may be only some lines of the document.
 */
export function numberLinesForPrint(section: HTMLElement, getText: () => DisplayedText): void {
  if (!section.querySelector('.numbers')) return
  const begin = () => {
    const text = getText()
    if (section.querySelector('.print-lines') || text.lines > MAX_LINES) return
    const list = document.createElement('ol')
    list.className = 'print-lines'
    const lines = text.slice(0, text.length).replace(/\n$/, '').split('\n')
    lines.forEach((line, index) => {
      const item = list.appendChild(document.createElement('li'))
      item.value = text.numberOf(index + 1)
      item.textContent = line
    })
    section.append(list)
  }
  const end = () => section.querySelector('.print-lines')?.remove()
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  matchMedia('print').addEventListener('change', ({ matches }) => (matches ? begin() : end()))
}
