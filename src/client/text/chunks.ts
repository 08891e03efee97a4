import { splitChunk, type TextChunks } from '../../shared/lines.ts'
import { createElement } from '../shared/elements.ts'

/** Lets the browser handle input and paint between two long steps. */
export const yieldToPage = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** For work in steps: what it returns waits for the page, and resolves to true, once the work has taken so long. */
export function createTurns(maxWorkMs = 30): () => Promise<boolean> {
  let started = performance.now()
  return async () => {
    if (performance.now() - started < maxWorkMs) return false
    await yieldToPage()
    started = performance.now()
    return true
  }
}

export function createChunk(text: string): HTMLElement {
  const chunk = createElement('span', { className: 'chunk' })
  for (const { text: part, isSegment } of splitChunk(text)) {
    chunk.append(isSegment ? createElement('span', { className: 'segment' }, part) : part)
  }
  return chunk
}

/** As the server writes it. The element isn't in the page yet, so that it is laid out once, complete. */
export async function appendChunks(
  element: HTMLElement,
  chunks: Iterable<string>,
  { linesPerChunk: linesEach }: TextChunks,
): Promise<void> {
  const takeTurn = createTurns()
  for (const text of chunks) {
    element.append(linesEach === null ? text : createChunk(text))
    await takeTurn()
  }
}
