import { AUTO, PLAIN_TEXT } from '../../shared/languages.ts'
import { store, takeStored } from '../shared/storage.ts'
import { createWorkerClient } from '../shared/workers.ts'
import type { HighlightTasks, TokensAnswer } from './highlight-worker.ts'
import type { Tokens } from './tokens.ts'

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

const COLOURS_KEY = 'regent.colours'

/** Of the first screen. */
const MAX_COLOURED = 8 * 1024

/** How long sharing waits for them at most. */
const MAX_WAIT_MS = 150

interface FirstColours {
  /** Without them if they take too long. */
  readonly storeFor: (id: string) => Promise<void>
}

/** Parses the text while the server stores it, so that its page has colours from the start. */
export function parseFirstColours(workerAddress: string, language: string, text: string): FirstColours {
  if (language === PLAIN_TEXT || language === AUTO) return { storeFor: async () => {} }
  let stop = () => {}
  const parsed = new Promise<readonly number[]>((resolve) => {
    stop = highlightCode(workerAddress, language, text.slice(0, MAX_COLOURED), ({ tokens }) =>
      resolve([...tokens]),
    )
  })
  return {
    storeFor: async (id) => {
      const late = new Promise<readonly number[]>((resolve) => setTimeout(() => resolve([]), MAX_WAIT_MS))
      const tokens = await Promise.race([parsed, late])
      stop()
      if (tokens.length > 0) store('sessionStorage', COLOURS_KEY, JSON.stringify({ id, language, tokens }))
    },
  }
}

/** Removes them, whichever document they are of. */
export function takeFirstColours(language: string): Tokens | null {
  const stored = takeStored(COLOURS_KEY)
  if (
    typeof stored !== 'object' ||
    stored === null ||
    !('tokens' in stored && 'id' in stored && 'language' in stored)
  )
    return null
  const { id, tokens } = stored
  const isOfPage = location.pathname === `/${id}` && stored.language === language
  return isOfPage && Array.isArray(tokens) ? Uint32Array.from(tokens) : null
}
