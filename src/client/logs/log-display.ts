import {
  getNumbersClasses,
  getTextClasses,
  planChunks,
  splitText,
  type TextChunks,
} from '../../shared/lines.ts'
import { supportsHighlights } from '../highlight/highlight-support.ts'
import { Painter } from '../highlight/painter.ts'
import { ANSI_STYLES } from '../highlight/tokens.ts'
import { appendParts } from '../text/chunks.ts'
import { DisplayedText, getLineLayout } from '../text/displayed-text.ts'
import type { LineRuns } from './filter-lines.ts'
import type { DisplayedLog } from './log-client.ts'
import { LOG_LINE_STYLES, type ParsedLog, TRACE_SIZE } from './parse-log.ts'
import { foldTraces, getShownText, getShownTokens, ShownLines, showAll } from './shown-lines.ts'

class LogText extends DisplayedText {
  readonly chunks: TextChunks
  readonly #shown: ShownLines
  readonly #lastNumber: number

  constructor(element: HTMLElement, shown: ShownLines, chunks: TextChunks, lastNumber: number) {
    super(element)
    this.chunks = chunks
    this.#shown = shown
    this.#lastNumber = lastNumber
  }

  override get lastNumber(): number {
    return this.#lastNumber
  }

  override numberOf(line: number): number {
    return this.#shown.numberAt(line)
  }

  override findLines(numbers: { first: number; last: number }) {
    return this.#shown.findPositions(numbers)
  }
}

interface ShownTrace {
  readonly index: number
  /** The position of its header, from 1. */
  readonly position: number
  readonly lines: number
  readonly isFolded: boolean
}

function* findShownTraces(
  traces: Uint32Array,
  { shown, unfolded, folded }: Omit<LogTextOptions, 'text' | 'log'>,
): Generator<ShownTrace> {
  for (let index = 0; index * TRACE_SIZE < traces.length; index++) {
    const [header = 0, start = 0, end = 0] = traces.subarray(index * TRACE_SIZE, (index + 1) * TRACE_SIZE)
    const position = shown.findPositions({ first: header + 1, last: header + 1 })?.first
    // A filter may show a header as the context of another entry, without the trace.
    if (position === undefined || !unfolded.findPositions({ first: start + 1, last: end })) continue
    yield { index, position, lines: end - start, isFolded: folded.has(index) }
  }
}

/** The stylesheet generates the button's text, so that it is neither copied nor searched. */
function createFoldButton({ index, lines, isFolded }: ShownTrace): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'fold'
  button.dataset.trace = String(index)
  button.ariaLabel = `${lines.toLocaleString('en')} more lines`
  button.ariaExpanded = String(!isFolded)
  return button
}

interface LogTextOptions {
  readonly log: ParsedLog
  readonly text: string
  readonly shown: ShownLines
  readonly unfolded: ShownLines
  readonly folded: ReadonlySet<number>
}

function appendChunk(
  parent: HTMLElement,
  chunk: string,
  firstPosition: number,
  traces: readonly ShownTrace[],
) {
  let [position, searched, from] = [firstPosition, 0, 0]
  for (const trace of traces) {
    for (; position < trace.position; position++) searched = chunk.indexOf('\n', searched) + 1
    const lineBreak = chunk.indexOf('\n', searched)
    const to = lineBreak === -1 ? chunk.length : lineBreak
    appendParts(parent, chunk.slice(from, to))
    parent.append(createFoldButton(trace))
    from = to
  }
  appendParts(parent, chunk.slice(from))
}

function createLogText({ log, text, ...lines }: LogTextOptions): {
  pre: HTMLElement
  displayed: LogText
} {
  const plan = planChunks(text)
  const pre = document.createElement('pre')
  const content = document.createElement('span')
  pre.classList.add('log', ...getTextClasses(plan))
  content.className = 'terminal-text'
  const traces = [...findShownTraces(log.traces, lines)]
  let [position, next] = [1, 0]
  for (const chunk of splitText(text, plan)) {
    const end = position + (plan.linesPerChunk ?? plan.lineCount)
    const first = next
    while ((traces[next]?.position ?? end) < end) next += 1
    const parent = plan.linesPerChunk === null ? content : document.createElement('span')
    appendChunk(parent, chunk, position, traces.slice(first, next))
    if (parent !== content) {
      parent.className = 'chunk'
      content.append(parent)
    }
    position = end
  }
  pre.append(content)
  return { pre, displayed: new LogText(content, lines.shown, plan, log.levels.length) }
}

function fillNumbers(column: HTMLElement, text: LogText): void {
  const { linesPerChunk } = text.chunks
  const step = linesPerChunk ?? text.lines
  const chunks: (HTMLElement | string)[] = []
  for (let first = 1; text.length > 0 && first <= text.lines; first += step) {
    const last = Math.min(text.lines, first + step - 1)
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => text.numberOf(first + index))
    const data = numbers.join('\n') + (last < text.lines ? '\n' : '')
    if (linesPerChunk === null) chunks.push(data)
    else chunks.push(Object.assign(document.createElement('span'), { className: 'chunk', textContent: data }))
  }
  column.className = getNumbersClasses({ linesPerChunk, lineCount: text.lastNumber }).join(' ')
  // Keeps the width, so that the text doesn't move sideways.
  column.classList.add(`digits-${String(text.lastNumber).length}`)
  column.replaceChildren(...chunks)
}

interface LogPlace {
  readonly source: HTMLElement
  /** Null if the document has too many lines for a column of numbers. */
  readonly numbers: HTMLElement | null
  readonly onChange: () => void
}

interface Displayed {
  readonly pre: HTMLElement
  readonly text: LogText
  readonly painter: Painter | null
}

function saveNumbers(column: HTMLElement | null): () => void {
  const nodes = [...(column?.childNodes ?? [])].filter(
    (node) => !(node instanceof Element && node.matches('.linked-lines, .wrapped-numbers')),
  )
  const className = column?.className ?? ''
  return () => {
    column?.replaceChildren(...nodes)
    if (column) column.className = className
  }
}

export class LogDisplay {
  readonly log: DisplayedLog
  /** The whole text, without terminal escape sequences. */
  readonly content: string
  filtered: LineRuns
  readonly folded = new Set<number>()
  readonly #place: LogPlace
  #displayed: Displayed
  #restoreNumbers: (() => void) | null = null

  constructor(log: DisplayedLog, content: string, place: LogPlace) {
    this.log = log
    this.content = content
    this.filtered = showAll(log.levels.length)
    this.#place = place
    this.#displayed = this.#create()
  }

  get text(): LogText {
    return this.#displayed.text
  }

  get pre(): HTMLElement {
    return this.#displayed.pre
  }

  paint(): void {
    this.#displayed.painter?.paint()
  }

  show(): void {
    const { source, numbers } = this.#place
    source.hidden = true
    source.after(this.#displayed.pre)
    this.#restoreNumbers ??= saveNumbers(numbers)
    this.#fillNumbers()
  }

  hide(): void {
    this.#displayed.painter?.clear()
    this.#displayed.pre.remove()
    this.#place.source.hidden = false
    this.#restoreNumbers?.()
    this.#restoreNumbers = null
  }

  /** The line with this number, or else the first visible one, stays where it is in the window. */
  update(keptNumber?: number): void {
    const before = getLineLayout(this.text)
    const asked = keptNumber && this.text.findLines({ first: keptNumber, last: keptNumber })?.first
    const kept = asked || before.lineAt(0)
    const number = this.text.numberOf(kept)
    const top = before.top(kept)
    const isScrolled = before.top(1) < 0
    this.#displayed.painter?.clear()
    this.#displayed.pre.remove()
    this.#displayed = this.#create()
    this.show()
    this.#place.onChange()
    if (!isScrolled && !asked) return
    const next = this.text.findLines({ first: number, last: this.text.lastNumber })?.first ?? this.text.lines
    this.text.forceLayout([next])
    scrollBy({ top: getLineLayout(this.text).top(next) - top, behavior: 'instant' })
  }

  getDisplayedText(): string {
    return getShownText(this.content, this.log.lineStarts, this.#getRuns())
  }

  get isPartial(): boolean {
    return new ShownLines(this.#getRuns()).count < this.log.levels.length
  }

  #getRuns(): LineRuns {
    return foldTraces(this.filtered, this.log.traces, this.folded)
  }

  #create(): Displayed {
    const { lineStarts, terminal, tokens } = this.log
    const runs = this.#getRuns()
    const { pre, displayed } = createLogText({
      log: this.log,
      text: getShownText(this.content, lineStarts, runs),
      shown: new ShownLines(runs),
      unfolded: new ShownLines(this.filtered),
      folded: this.folded,
    })
    const shownTokens = getShownTokens(terminal?.tokens ?? tokens, lineStarts, runs)
    const styles = terminal ? ANSI_STYLES : LOG_LINE_STYLES
    const painter = supportsHighlights() ? new Painter(displayed, shownTokens, styles) : null
    return { pre, text: displayed, painter }
  }

  #fillNumbers(): void {
    if (this.#place.numbers) fillNumbers(this.#place.numbers, this.text)
  }
}
