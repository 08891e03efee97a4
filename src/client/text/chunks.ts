import { splitChunk, type TextChunks, withLineBreaks } from '../../shared/lines.ts'
import { yieldToPage } from '../shared/elements.ts'

/** With the line breaks of the document, for which the page has LF. */
export const getOriginalText = (code: HTMLElement): string =>
  withLineBreaks(code.textContent ?? '', code.closest<HTMLElement>('section')?.dataset.lineBreaks)

/** Then the page gets a turn. */
const MAX_WORK_MS = 30

const createSpan = (className: string, text = '') =>
  Object.assign(document.createElement('span'), { className, textContent: text })

export function appendParts(element: HTMLElement, text: string): void {
  for (const { text: part, isSegment } of splitChunk(text)) {
    element.append(isSegment ? createSpan('segment', part) : part)
  }
}

function createChunk(text: string): HTMLElement {
  const chunk = createSpan('chunk')
  appendParts(chunk, text)
  return chunk
}

/** As the server writes it. The element isn't in the page yet, so that it is laid out once, complete. */
export async function appendChunks(
  element: HTMLElement,
  chunks: Iterable<string>,
  { linesPerChunk: linesEach }: TextChunks,
): Promise<void> {
  let started = performance.now()
  for (const text of chunks) {
    element.append(linesEach === null ? text : createChunk(text))
    if (performance.now() - started < MAX_WORK_MS) continue
    await yieldToPage()
    started = performance.now()
  }
}
