import type { Cut } from '../documents/lines.ts'
import { rest } from './rest.ts'

/** For how long chunks are made without a rest, in milliseconds. */
const WORK_MS = 30

/** Fills an element with chunks as the server writes them. Not yet in the page, it is laid out only when whole. */
export async function fillWithChunks(
  element: HTMLElement,
  chunks: Iterable<string>,
  { linesEach }: Cut,
): Promise<void> {
  let started = performance.now()
  for (const text of chunks) {
    if (linesEach === null) element.append(text)
    else
      element.append(Object.assign(document.createElement('span'), { className: 'chunk', textContent: text }))
    if (performance.now() - started < WORK_MS) continue
    await rest()
    started = performance.now()
  }
}
