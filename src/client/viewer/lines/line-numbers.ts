import { createElement } from '../../shared/elements.ts'
import type { DisplayedText } from '../../text/displayed-text.ts'
import { getLineLayout } from '../../text/line-layout.ts'

/** The column of line numbers can't follow wrapped lines, which take several rows: the visible ones get their own. */
export function placeWrappedLineNumbers(section: HTMLElement, text: DisplayedText): void {
  const numbers = section.querySelector<HTMLElement>('.numbers')
  if (!numbers) return
  let column = numbers.querySelector<HTMLElement>('.wrapped-numbers')
  if (!section.classList.contains('wrapped')) {
    column?.remove()
    return
  }
  if (!column) {
    column = createElement('div', { className: 'wrapped-numbers' })
    numbers.append(column)
  }
  const layout = getLineLayout(text)
  const { top } = numbers.getBoundingClientRect()
  const last = layout.lineAt(innerHeight)
  const placed: HTMLElement[] = []
  for (let line = layout.lineAt(0); line <= last; line++) {
    const number = createElement('span', {}, String(text.numberOf(line)))
    number.style.top = `${layout.top(line) - top}px`
    placed.push(number)
  }
  column.replaceChildren(...placed)
}

/** Longer texts are printed without line numbers. */
const MAX_LINES = 50_000

/** Long lines wrap on paper, so a column would be out of step: each line is an item of a numbered list instead. */
export function numberLinesForPrint(section: HTMLElement, getText: () => DisplayedText): void {
  if (!section.querySelector('.numbers')) return
  const begin = () => {
    const text = getText()
    if (section.querySelector('.print-lines') || text.lines > MAX_LINES) return
    const list = createElement('ol', { className: 'print-lines' })
    const lines = text.slice(0, text.length).replace(/\n$/, '').split('\n')
    lines.forEach((line, index) => {
      list.append(createElement('li', { value: text.numberOf(index + 1) }, line))
    })
    section.append(list)
  }
  const end = () => section.querySelector('.print-lines')?.remove()
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  matchMedia('print').addEventListener('change', ({ matches }) => (matches ? begin() : end()))
}
