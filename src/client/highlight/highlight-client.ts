import { createWorkerClient } from '../shared/workers.ts'
import type { HighlightTasks, TokensAnswer } from './highlight-worker.ts'

/** UTF-16 units that are highlighted. Parsing more takes too long and too much memory. */
const MAX_HIGHLIGHTED = 2 * 1024 * 1024

interface Highlightable {
  readonly slice: (from: number, to: number) => string
}

/**
 * Calls `onTokens` for the beginning, then for the whole text. Without the worker, the text stays as it is. Returns a
 * function that stops it.
 */
export function highlightCode(
  address: string,
  language: string,
  text: Highlightable,
  onTokens: (answer: TokensAnswer) => void,
): () => void {
  const { ask, stop } = createWorkerClient<HighlightTasks>(address)
  const input = { language, text: text.slice(0, MAX_HIGHLIGHTED) }
  ask('highlight', input, onTokens)
    .then((answer) => answer && onTokens(answer))
    .catch(() => {})
    .finally(stop)
  return stop
}
