import { cutLines, textChunks, textClasses } from '../../shared/lines.ts'
import { fillWithChunks } from '../viewer/chunks.ts'

/** A text in an element of its own, in chunks of which the browser lays out those in sight. */
export async function terminalText(text: string): Promise<HTMLElement> {
  const element = document.createElement('pre')
  const content = document.createElement('span')
  const cut = cutLines(text)
  element.classList.add('terminal', ...textClasses(cut))
  content.className = 'terminal-text'
  await fillWithChunks(content, textChunks(text, cut), cut)
  element.append(content)
  return element
}
