import { splitChunk, type TextChunks } from '../../shared/lines.ts'
import { yieldToPage } from '../shared/yield.ts'

/** How long chunks are created before the page gets a turn, in milliseconds. */
const MAX_WORK_MS = 30

const createSpan = (className: string, text = '') =>
  Object.assign(document.createElement('span'), { className, textContent: text })

/** Appends a text to an element, with long lines split into segments. */
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

/**
 * Appends chunks to an element, in the same HTML as the server writes. Yields to the page between chunks.
 *
 * @param element not in the page yet, so that it is laid out only once it is complete.
 */
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
