/** Longer texts are printed without line numbers. */
const MAX_LINES = 50_000

/**
 * Numbers the lines of a text on paper. Long lines wrap there, so a column of numbers would be out of step: while
 * the page is printed, each line is an item of a numbered list instead.
 */
export function numberLinesForPrint(section: HTMLElement, code: HTMLElement): void {
  if (!section.querySelector('.numbers')) return
  const begin = () => {
    const lines = (code.textContent ?? '').replace(/\n$/, '').split('\n')
    if (section.querySelector('.print-lines') || lines.length > MAX_LINES) return
    const list = document.createElement('ol')
    list.className = 'print-lines'
    for (const line of lines) list.appendChild(document.createElement('li')).textContent = line
    section.append(list)
  }
  const end = () => section.querySelector('.print-lines')?.remove()
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  matchMedia('print').addEventListener('change', ({ matches }) => (matches ? begin() : end()))
}
