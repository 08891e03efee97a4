import {
  formatLineNumbers,
  getNumbersClasses,
  getTextClasses,
  isNumbered,
  planChunks,
  splitText,
} from '../../shared/lines.ts'
import { appendChunks } from '../text/chunks.ts'

/** Fills in a text and its line numbers, in the same HTML as the server writes. */
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
