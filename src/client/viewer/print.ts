import { fillWithParts } from './chunks.ts'

/** More lines than anyone prints: they are printed too, without numbers. */
const MOST_LINES = 50_000

/**
 * On paper nothing scrolls, so long lines wrap, and a column of numbers beside them would soon name the wrong
 * ones: for as long as a page is printed, each line of its text is an item of a numbered list.
 */
export function numberForPrint(section: HTMLElement, code: HTMLElement): void {
  if (!section.querySelector('.numbers')) return
  const begin = () => {
    const lines = (code.textContent ?? '').replace(/\n$/, '').split('\n')
    if (section.querySelector('.printed') || lines.length > MOST_LINES) return
    const list = document.createElement('ol')
    list.className = 'printed'
    for (const line of lines) fillWithParts(list.appendChild(document.createElement('li')), line)
    section.append(list)
  }
  const end = () => section.querySelector('.printed')?.remove()
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  matchMedia('print').addEventListener('change', ({ matches }) => (matches ? begin() : end()))
}
