import { MAX_WHOLE_LINE_UNITS } from '../../../shared/lines.ts'
import { highlightCode } from '../../highlight/highlight-client.ts'
import { Painter } from '../../highlight/painter.ts'
import { CODE_STYLES } from '../../highlight/tokens.ts'
import { takeFirstColours } from '../../share/first-colours.ts'
import type { DisplayedText } from '../../text/displayed-text.ts'

interface HighlightedText {
  readonly length: number
  readonly longestLine: number
  readonly lineAt: (offset: number) => number
}

/** Empty if all is. `end` is the offset up to which the text was parsed. */
export function formatHighlightLimits(text: HighlightedText, end: number): string {
  if (end === 0) return 'too deeply nested'
  return [
    ...(end < text.length ? [`text after line ${text.lineAt(end)}`] : []),
    ...(text.longestLine > MAX_WHOLE_LINE_UNITS
      ? [`lines over ${MAX_WHOLE_LINE_UNITS.toLocaleString('en')} characters`]
      : []),
  ].join(', ')
}

function showHighlightLimits(text: HighlightedText, end: number): void {
  const limits = formatHighlightLimits(text, end)
  document.querySelector('#highlight-limits')?.remove()
  if (limits === '') return
  const fact = document.createElement('span')
  fact.id = 'highlight-limits'
  fact.textContent = `not highlighted: ${limits}`
  document.querySelector('.facts-line')?.append(fact)
}

interface HighlightingOptions {
  readonly workerAddress: string
  readonly language: string
  readonly text: DisplayedText
  readonly onTokens: () => void
}

export interface Highlighting {
  readonly paint: () => void
  readonly clear: () => void
  readonly stop: () => void
}

export function startHighlighting({
  workerAddress,
  language,
  text,
  onTokens,
}: HighlightingOptions): Highlighting {
  const first = takeFirstColours(language)
  let painter = first && new Painter(text, first, CODE_STYLES)
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
