import { highlightCode } from '../../highlight/highlight-client.ts'
import { Painter } from '../../highlight/painter.ts'
import { CODE_STYLES } from '../../highlight/tokens.ts'
import type { DisplayedText } from '../../text/displayed-text.ts'
import { showHighlightLimits } from './highlight-limits.ts'

interface HighlightingOptions {
  readonly workerAddress: string
  readonly language: string
  readonly text: DisplayedText
  /** Called when there is more to paint. */
  readonly onTokens: () => void
}

export interface Highlighting {
  /** Paints the visible lines. */
  readonly paint: () => void
  /** Removes what is painted, until it is painted again. */
  readonly clear: () => void
  readonly stop: () => void
}

/** Highlights a text as a language. A worker parses it. */
export function startHighlighting({
  workerAddress,
  language,
  text,
  onTokens,
}: HighlightingOptions): Highlighting {
  let painter: Painter | null = null
  const stop = highlightCode(workerAddress, language, text, ({ tokens, end, last }) => {
    painter?.clear()
    painter = new Painter(text, tokens, CODE_STYLES)
    if (last) showHighlightLimits(text, end)
    onTokens()
  })
  return {
    paint: () => painter?.paint(),
    clear: () => painter?.clear(),
    stop: () => {
      stop()
      painter?.clear()
    },
  }
}
