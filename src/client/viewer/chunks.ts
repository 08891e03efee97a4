import { type Cut, chunkParts } from '../../shared/lines.ts'
import { rest } from '../shared/idle.ts'

/** For how long chunks are made without a rest, in milliseconds. */
const WORK_MS = 30

const span = (className: string, text = '') =>
  Object.assign(document.createElement('span'), { className, textContent: text })

/** Fills an element with a text whose long lines are in pieces. */
export function fillWithParts(element: HTMLElement, text: string): void {
  for (const { text: part, piece } of chunkParts(text)) element.append(piece ? span('piece', part) : part)
}

function chunkOf(text: string): HTMLElement {
  const chunk = span('chunk')
  fillWithParts(chunk, text)
  return chunk
}

/** Fills an element with chunks as the server writes them. Not yet in the page, it is laid out only when whole. */
export async function fillWithChunks(
  element: HTMLElement,
  chunks: Iterable<string>,
  { linesEach }: Cut,
): Promise<void> {
  let started = performance.now()
  for (const text of chunks) {
    element.append(linesEach === null ? text : chunkOf(text))
    if (performance.now() - started < WORK_MS) continue
    await rest()
    started = performance.now()
  }
}
