import {
  cutLines,
  isNumbered,
  numberChunks,
  numbersClasses,
  textChunks,
  textClasses,
} from '../../shared/lines.ts'
import { fillWithChunks } from '../viewer/chunks.ts'

/** Puts a text and the numbers of its lines where the server put none, as it would have. */
export async function fillText(section: ParentNode, text: string): Promise<void> {
  const numbers = section.querySelector<HTMLElement>('.numbers')
  const code = section.querySelector<HTMLElement>('code')
  const cut = cutLines(text)
  if (!isNumbered(cut)) numbers?.remove()
  else if (numbers) {
    numbers.classList.add(...numbersClasses(cut))
    await fillWithChunks(numbers, numberChunks(cut), cut)
  }
  code?.parentElement?.classList.add(...textClasses(cut))
  if (code) await fillWithChunks(code, textChunks(text, cut), cut)
}
