import { isDrawing } from '../../shared/drawings.ts'
import {
  findHiddenCharacters,
  formatHiddenCharacters,
  HIDDEN_WARNING,
  type HiddenCharacters,
} from '../../shared/hidden-characters.ts'
import {
  formatLineNumbers,
  getNumbersClasses,
  getTextClasses,
  isNumbered,
  planChunks,
  splitText,
  type TextChunks,
  toShownLines,
} from '../../shared/lines.ts'
import type { HighlightTasks } from '../highlight/highlight-worker.ts'
import { createElement } from '../shared/elements.ts'
import { createWorkerClient } from '../shared/workers.ts'
import { appendChunks } from '../text/chunks.ts'

/** Writes the same HTML as the server. */
export async function fillText(
  section: ParentNode,
  stored: string,
  cut: TextChunks = planChunks(toShownLines(stored)),
  hasNumbers = isNumbered(cut),
): Promise<void> {
  const text = toShownLines(stored)
  const numbers = section.querySelector<HTMLElement>('.numbers')
  const code = section.querySelector<HTMLElement>('code')
  if (!hasNumbers) numbers?.remove()
  else if (numbers) {
    numbers.classList.add(...getNumbersClasses(cut))
    await appendChunks(numbers, formatLineNumbers(text, cut), cut)
  }
  code?.parentElement?.classList.add(...getTextClasses(cut))
  if (code) await appendChunks(code, splitText(text, cut), cut)
  code?.closest('section')?.classList.toggle('drawing', isDrawing(text))
  if (text !== stored) code?.closest('section')?.setAttribute('data-line-breaks', 'cr')
}

/** UTF-16 units that are searched on the page. More would block it. */
const MAX_SEARCHED = 64 * 1024

async function searchHiddenCharacters(text: string, worker: string): Promise<HiddenCharacters> {
  const { ask, stop } = createWorkerClient<HighlightTasks>(worker)
  // The warning comes, even if the browser refuses the worker.
  const search = () => findHiddenCharacters(text)
  return text.length > MAX_SEARCHED ? ask('findHiddenCharacters', text).catch(search).finally(stop) : search()
}

export async function createHiddenWarning(
  stored: string,
  { highlightWorker = '' }: DOMStringMap,
  linePrefix = '',
): Promise<HTMLElement | null> {
  const kinds = formatHiddenCharacters(await searchHiddenCharacters(toShownLines(stored), highlightWorker))
  if (kinds.length === 0) return null
  const label = createElement('strong', {}, HIDDEN_WARNING.label)
  const warning = createElement('p', { className: 'banner', role: 'note' }, label, ` ${HIDDEN_WARNING.text} `)
  for (const [index, { amount, line, where }] of kinds.entries()) {
    const link = createElement('a', { href: `#${linePrefix}L${line}` }, where)
    warning.append(`${index > 0 ? ' and ' : ''}${amount} (`, link, ')')
  }
  warning.append('.')
  return warning
}
