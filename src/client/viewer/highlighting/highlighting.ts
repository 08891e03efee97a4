import { MAX_WHOLE_LINE_UNITS } from '../../../shared/lines.ts'
import {
  CODE_STYLES,
  type CodeTasks,
  type GetTokens,
  getTokensBetween,
  type ParsedTokens,
  type Tokens,
  type TokensAnswer,
} from '../../highlight/tokens.ts'
import { createElement } from '../../shared/elements.ts'
import type { WorkerClient } from '../../shared/workers.ts'
import { type DisplayedText, getLineLayout } from '../../text/displayed-text.ts'

/** Lines above and below the window that are painted too. */
const MARGIN_LINES = 60
/** Tokens that are painted at once. More would make scrolling slow. */
const MAX_TOKENS = 2_500

export class Painter {
  readonly #styles: readonly string[]
  readonly #tokens: Tokens
  readonly #text: DisplayedText
  #painted = { first: 0, last: -1, revision: 0 }

  constructor(text: DisplayedText, tokens: Tokens, styles: readonly string[]) {
    this.#text = text
    this.#tokens = tokens
    this.#styles = styles
  }

  paint(): void {
    const layout = getLineLayout(this.#text)
    const [top, bottom] = [layout.lineAt(0), layout.lineAt(innerHeight)]
    const { revision } = this.#text
    const { first: paintedFirst, last: paintedLast } = this.#painted
    if (top >= paintedFirst && bottom <= paintedLast && revision === this.#painted.revision) return
    const ranges = new Map<number, StaticRange[]>()
    // Each visible line gets an equal share, so that one line with thousands of tokens doesn't use them all.
    const maxPerLine = Math.ceil(MAX_TOKENS / (bottom - top + 1))
    let left = MAX_TOKENS
    let [first, last] = [top, bottom]
    for (let line = top; line <= bottom; line++) left -= this.#addRangesOfLine(line, maxPerLine, ranges)
    while (left > 0 && first > 1 && top - first < MARGIN_LINES) {
      left -= this.#addRangesOfLine(--first, maxPerLine, ranges)
    }
    while (left > 0 && last < this.#text.lines && last - bottom < MARGIN_LINES) {
      left -= this.#addRangesOfLine(++last, maxPerLine, ranges)
    }
    this.#painted = { first, last, revision }
    for (const [index, style] of this.#styles.entries()) {
      const found = ranges.get(index)
      if (!found) {
        CSS.highlights.delete(style)
        continue
      }
      const highlight = new Highlight()
      // Not `new Highlight(...found)`: there can be too many ranges to pass as arguments.
      for (const range of found) highlight.add(range)
      CSS.highlights.set(style, highlight)
    }
  }

  clear(): void {
    for (const style of this.#styles) CSS.highlights.delete(style)
    this.#painted = { first: 0, last: -1, revision: 0 }
  }

  #addRangesOfLine(line: number, max: number, ranges: Map<number, StaticRange[]>): number {
    const start = this.#text.lineStart(line)
    const end = this.#text.lineStart(line + 1)
    // Painting a line of a megabyte freezes the browser for seconds, even if it is off-screen.
    if (end - start > MAX_WHOLE_LINE_UNITS) return 0
    let count = 0
    for (const { from, to, style } of getTokensBetween(this.#tokens, start, end)) {
      if (count === max) break
      const range = this.#text.staticRange(Math.max(from, start), Math.min(to, end))
      const known = ranges.get(style)
      if (known) known.push(range)
      else ranges.set(style, [range])
      count += 1
    }
    return count
  }
}

/** Places an element in a layer at the height of each line that is visible or nearly so. */
export function placeLines(
  text: DisplayedText,
  layer: HTMLElement,
  create: (line: number) => HTMLElement | null,
): void {
  const layout = getLineLayout(text)
  const { top } = layer.getBoundingClientRect()
  const last = layout.lineAt(innerHeight * 2)
  const placed: HTMLElement[] = []
  for (let line = layout.lineAt(-innerHeight); line <= last; line++) {
    const element = create(line)
    if (!element) continue
    element.style.top = `${layout.top(line) - top}px`
    element.style.height = `${layout.top(line + 1) - layout.top(line)}px`
    placed.push(element)
  }
  layer.replaceChildren(...placed)
}

/** Backgrounds of lines. Screen readers don't get them: what the lines say is enough. */
export class LineTints {
  readonly #text: DisplayedText
  readonly #getClass: (line: number) => string | null
  readonly #layer = createElement('div', { className: 'line-tints', ariaHidden: 'true' })

  constructor(text: DisplayedText, getClass: (line: number) => string | null) {
    this.#text = text
    this.#getClass = getClass
    text.element.parentElement?.prepend(this.#layer)
  }

  paint(): void {
    placeLines(this.#text, this.#layer, (line) => {
      const className = this.#getClass(line)
      return className === null ? null : createElement('div', { className })
    })
  }

  clear(): void {
    this.#layer.remove()
  }
}

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
  const fact = createElement('span', { id: 'highlight-limits' }, `not highlighted: ${limits}`)
  document.querySelector('.facts-line')?.append(fact)
}

/** UTF-16 units that are highlighted. Parsing more takes too long and too much memory. */
const MAX_HIGHLIGHTED = 2 * 1024 * 1024

interface Highlightable {
  readonly slice: (from: number, to: number) => string
}

/** Calls `onTokens` for the beginning, then for the whole text. Without the worker, the text stays as it is. */
export function highlightCode(
  { ask, stop }: WorkerClient<CodeTasks>,
  language: string,
  text: Highlightable,
  onTokens: (answer: TokensAnswer) => void,
): void {
  ask('highlight', { language, text: text.slice(0, MAX_HIGHLIGHTED) }, onTokens)
    .then((answer) => answer && onTokens(answer))
    .catch(() => {})
    .finally(stop)
}

interface HighlightingOptions {
  readonly language: string
  readonly text: DisplayedText
  /** Called when there are more colours than at the start. */
  readonly onTokens: () => void
  /** Parses in a worker what is left of a long text. */
  readonly worker: WorkerClient<CodeTasks>
  /** Resolves once the browser has received all of the text. */
  readonly received?: Promise<void>
}

export interface Highlighting {
  readonly paint: () => void
  readonly clear: () => void
  readonly stop: () => void
}

export type HighlightingStart = (options: HighlightingOptions) => Highlighting

/**
 * UTF-16 units that are parsed before the page is painted, and for how long at most. A worker takes longer to start, so it
 * only parses what is left.
 */
const FIRST_PART = 8 * 1024
const MAX_FIRST_MS = 40

function parseFirstPart(getTokens: GetTokens, text: DisplayedText): ParsedTokens {
  try {
    return getTokens(text.slice(0, Math.min(text.length, FIRST_PART)), MAX_FIRST_MS)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { tokens: new Uint32Array(), end: 0 }
  }
}

export const createStart =
  (getTokens: GetTokens): HighlightingStart =>
  ({ text, language, onTokens, worker, received }) => {
    const first = parseFirstPart(getTokens, text)
    let painter = new Painter(text, first.tokens, CODE_STYLES)
    let stopped = false
    const parseInWorker = async () => {
      await received
      if (stopped) return
      highlightCode(worker, language, text, ({ tokens, end, last }) => {
        painter.clear()
        painter = new Painter(text, tokens, CODE_STYLES)
        if (last) showHighlightLimits(text, end)
        onTokens()
      })
    }
    if (first.end < text.length || text.grows) void parseInWorker()
    else showHighlightLimits(text, first.end)
    return {
      paint: () => painter.paint(),
      clear: () => painter.clear(),
      stop: () => {
        stopped = true
        worker.stop()
        painter.clear()
      },
    }
  }
