import {
  findHiddenCharacters,
  formatHiddenCharacters,
  HIDDEN_WARNING,
} from '../../shared/hidden-characters.ts'
import {
  formatLineNumbers,
  getNumbersClasses,
  getTextClasses,
  isNumbered,
  planChunks,
  splitText,
} from '../../shared/lines.ts'
import { createElement } from '../shared/elements.ts'
import { appendChunks } from '../text/chunks.ts'

/** Writes the same HTML as the server. */
export async function fillText(section: ParentNode, text: string): Promise<void> {
  const numbers = section.querySelector<HTMLElement>('.numbers')
  const code = section.querySelector<HTMLElement>('code')
  const cut = planChunks(text)
  if (!isNumbered(cut)) numbers?.remove()
  else if (numbers) {
    numbers.classList.add(...getNumbersClasses(cut))
    await appendChunks(numbers, formatLineNumbers(cut), cut)
  }
  code?.parentElement?.classList.add(...getTextClasses(cut))
  if (code) await appendChunks(code, splitText(text, cut), cut)
}

export function createHiddenWarning(text: string): HTMLElement | null {
  const kinds = formatHiddenCharacters(findHiddenCharacters(text))
  if (kinds.length === 0) return null
  const warning = createElement('p', { className: 'banner', role: 'note' })
  const label = createElement('strong', { textContent: HIDDEN_WARNING.label })
  warning.append(label, ` ${HIDDEN_WARNING.text} `)
  for (const [index, { amount, line, where }] of kinds.entries()) {
    const link = Object.assign(document.createElement('a'), { href: `#L${line}`, textContent: where })
    warning.append(`${index > 0 ? ' and ' : ''}${amount} (`, link, ')')
  }
  warning.append('.')
  return warning
}
