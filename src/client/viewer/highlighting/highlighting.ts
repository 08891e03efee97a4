import { MAX_WHOLE_LINE_UNITS } from '../../../shared/lines.ts'
import {
  CODE_STYLES,
  type CodeTasks,
  type GetTokens,
  getTokensBetween,
  type Tokens,
  type TokensAnswer,
} from '../../highlight/tokens.ts'
import { createElement } from '../../shared/elements.ts'
import type { WorkerClient } from '../../shared/workers.ts'
import {
  type DisplayedText,
  findLastAtMost,
  getLineLayout,
  type TextIndex,
} from '../../text/displayed-text.ts'

/** Lines above and below the window that are painted too. */
const MARGIN_LINES = 60
/** Tokens that are painted at once. More would make scrolling slow. */
const MAX_TOKENS = 2_500

function* listTexts({ startContainer, endContainer }: StaticRange): Generator<Node> {
  yield startContainer
  if (startContainer === endContainer) return
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT)
  walker.currentNode = startContainer
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    yield node
    if (node === endContainer) return
  }
}

/** Marks the elements whose text has highlights, since the styles of highlights apply only to these: see code.css. */
export function createMarker(className: string) {
  let marked: ReadonlySet<Element> = new Set()
  return (ranges: readonly StaticRange[]) => {
    // Thousands of ranges are in a few nodes.
    const nodes = new Set(ranges.flatMap((range) => [...listTexts(range)]))
    const next = new Set<Element>([...nodes].flatMap(({ parentElement }) => parentElement ?? []))
    for (const element of marked) if (!next.has(element)) element.classList.remove(className)
    for (const element of next) element.classList.add(className)
    marked = next
  }
}

/** The starts of lines, and the end of the last. Asking for each would look from the start of its chunk each time. */
export function listLineStarts(text: TextIndex, first: number, last: number): number[] {
  let start = text.lineStart(first)
  let index = findLastAtMost(text.starts, start)
  const starts = [start]
  while (starts.length <= last - first + 1 && index < text.segments.length) {
    const before = text.starts[index] ?? 0
    const end = text.segments[index]?.data.indexOf('\n', start - before) ?? -1
    if (end === -1) {
      index += 1
      start = text.starts[index] ?? text.length
    } else {
      start = before + end + 1
      starts.push(start)
    }
  }
  return starts.length <= last - first + 1 ? [...starts, text.length] : starts
}

/** Paints the lines near the window. */
export function createPainter(text: DisplayedText, tokens: Tokens, styles: readonly string[]) {
  const nothing = { first: 0, last: -1, revision: 0 }
  const markPainted = createMarker('painted')
  let painted = nothing

  const addRanges = (start: number, end: number, max: number, ranges: Map<number, StaticRange[]>): number => {
    // Painting a line of a megabyte freezes the browser for seconds, even if it is off-screen.
    if (end - start > MAX_WHOLE_LINE_UNITS) return 0
    let count = 0
    for (const { from, to, style } of getTokensBetween(tokens, start, end)) {
      if (count === max) break
      const range = text.staticRange(Math.max(from, start), Math.min(to, end))
      const known = ranges.get(style)
      if (known) known.push(range)
      else ranges.set(style, [range])
      count += 1
    }
    return count
  }
  const paint = () => {
    const layout = getLineLayout(text)
    const [top, bottom] = [layout.lineAt(0), layout.lineAt(innerHeight)]
    const { revision } = text
    if (top >= painted.first && bottom <= painted.last && revision === painted.revision) return
    const ranges = new Map<number, StaticRange[]>()
    // Each visible line gets an equal share, so that one line with thousands of tokens doesn't use them all.
    const maxPerLine = Math.ceil(MAX_TOKENS / (bottom - top + 1))
    let left = MAX_TOKENS
    let [first, last] = [top, bottom]
    const [min, max] = [Math.max(1, top - MARGIN_LINES), Math.min(text.lines, bottom + MARGIN_LINES)]
    const starts = listLineStarts(text, min, max)
    const addLine = (line: number) => {
      left -= addRanges(starts[line - min] ?? 0, starts[line - min + 1] ?? 0, maxPerLine, ranges)
    }
    for (let line = top; line <= bottom; line++) addLine(line)
    while (left > 0 && first > min) addLine(--first)
    while (left > 0 && last < max) addLine(++last)
    painted = { first, last, revision }
    markPainted([...ranges.values()].flat())
    for (const [index, style] of styles.entries()) {
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
  const clear = () => {
    for (const style of styles) CSS.highlights.delete(style)
    markPainted([])
    painted = nothing
  }
  return { paint, clear }
}

type HighlightedText = Pick<DisplayedText, 'length' | 'longestLine' | 'lineAt'>

/** Says which parts of a text aren't highlighted; empty if all are. `end` is the offset up to which the text was parsed. */
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

/** Calls `onTokens` for the beginning, then for the whole text. Without the worker, the text stays as it is. */
export function highlightCode(
  { ask, stop }: WorkerClient<CodeTasks>,
  language: string,
  text: { slice(from: number, to: number): string },
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
  /** Is called when there are more colours than at the start. */
  readonly onTokens: () => void
  /** Parses in a worker what is left of a long text. */
  readonly worker: WorkerClient<CodeTasks>
  /** Resolves once the browser has received all of the text. */
  readonly received?: Promise<void>
}

export type HighlightingStart = ReturnType<typeof createStart>

export type Highlighting = ReturnType<HighlightingStart>

/**
 * UTF-16 units that are parsed before the page is painted, and for how long at most. A worker takes longer to start, so it
 * only parses what is left.
 */
const FIRST_PART = 8 * 1024
const MAX_FIRST_MS = 40

export const createStart =
  (getTokens: GetTokens) =>
  ({ text, language, onTokens, worker, received }: HighlightingOptions) => {
    const first = getTokens(text.slice(0, FIRST_PART), MAX_FIRST_MS)
    let painter = createPainter(text, first.tokens, CODE_STYLES)
    let stopped = false
    const parseInWorker = async () => {
      await received
      if (stopped) return
      highlightCode(worker, language, text, ({ tokens, end, last }) => {
        painter.clear()
        painter = createPainter(text, tokens, CODE_STYLES)
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
