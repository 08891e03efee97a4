import { layoutOf } from './layout.ts'
import type { ShownText } from './text-view.ts'

/**
 * Where lines wrap, a column of numbers cannot run beside them by itself: the numbers of the lines in sight
 * are put where their lines are.
 */
export function placeNumbers(section: HTMLElement, text: ShownText): void {
  const numbers = section.querySelector<HTMLElement>('.numbers')
  if (!numbers) return
  let column = numbers.querySelector<HTMLElement>('.placed')
  if (!section.classList.contains('wrapped')) {
    column?.remove()
    return
  }
  if (!column) {
    column = document.createElement('div')
    column.className = 'placed'
    numbers.append(column)
  }
  const layout = layoutOf(text)
  const { top } = numbers.getBoundingClientRect()
  const last = layout.lineAt(innerHeight)
  const placed: HTMLElement[] = []
  for (let line = layout.lineAt(0); line <= last; line++) {
    const number = document.createElement('span')
    number.textContent = String(line)
    number.style.top = `${layout.top(line) - top}px`
    placed.push(number)
  }
  column.replaceChildren(...placed)
}
