import type { DisplayedText } from '../../text/displayed-text.ts'
import { getLineLayout } from '../../text/line-layout.ts'

/**
 * Places the numbers of the visible lines beside their lines if the text is wrapped. The column of line numbers
 * can't do that by itself, because a wrapped line takes several rows.
 */
export function placeWrappedLineNumbers(section: HTMLElement, text: DisplayedText): void {
  const numbers = section.querySelector<HTMLElement>('.numbers')
  if (!numbers) return
  let column = numbers.querySelector<HTMLElement>('.wrapped-numbers')
  if (!section.classList.contains('wrapped')) {
    column?.remove()
    return
  }
  if (!column) {
    column = document.createElement('div')
    column.className = 'wrapped-numbers'
    numbers.append(column)
  }
  const layout = getLineLayout(text)
  const { top } = numbers.getBoundingClientRect()
  const last = layout.lineAt(innerHeight)
  const placed: HTMLElement[] = []
  for (let line = layout.lineAt(0); line <= last; line++) {
    const number = document.createElement('span')
    number.textContent = String(text.numberOf(line))
    number.style.top = `${layout.top(line) - top}px`
    placed.push(number)
  }
  column.replaceChildren(...placed)
}
