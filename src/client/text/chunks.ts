import { type Chunk, splitChunk, type TextChunks, type TextPart } from '../../shared/lines.ts'
import { createElement } from '../shared/elements.ts'

/** Lets the browser handle input and paint between two long steps. */
export const yieldToPage = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Divides work into steps: what it returns waits for the page, and resolves to true, once the work has taken so long. */
export function createTurns(maxWorkMs = 30): () => Promise<boolean> {
  let started = performance.now()
  return async () => {
    if (performance.now() - started < maxWorkMs) return false
    await yieldToPage()
    started = performance.now()
    return true
  }
}

/** Does the work in steps, each up to a `yield`, in turns with the page. */
export async function workInTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  const takeTurn = createTurns()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    await takeTurn()
  }
}

/** Does the work in one go, where what comes next can't wait. */
export function workAtOnce<Result>(steps: Generator<void, Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

const createSegment = (text: string) => createElement('span', { className: 'segment' }, text)

export const createPart = (part: TextPart): HTMLElement | string =>
  'text' in part
    ? part.text
    : createElement('span', { className: 'stretch' }, ...part.segments.map(createSegment))

/** Makes the same elements as the server, a stretch at a time, since one line may be the whole text. */
export function* fillChunks(
  element: HTMLElement,
  chunks: Iterable<Chunk>,
  { linesPerChunk }: TextChunks,
): Generator<void, void> {
  for (const { text, className } of chunks) {
    const chunk = linesPerChunk === null ? element : createElement('span', { className })
    for (const part of linesPerChunk === null ? [{ text }] : splitChunk(text)) {
      chunk.append(createPart(part))
      yield
    }
    if (chunk !== element) element.append(chunk)
  }
}

/** The element isn't in the page yet, so that it is laid out once, complete. */
export const appendChunks = (
  element: HTMLElement,
  chunks: Iterable<Chunk>,
  plan: TextChunks,
): Promise<void> => workInTurns(fillChunks(element, chunks, plan))
