import {
  getNumbersClasses,
  getTextClasses,
  planChunks,
  splitText,
  type TextChunks,
} from '../../shared/lines.ts'
import { ANSI_STYLES } from '../highlight/tokens.ts'
import { createElement, supportsHighlights } from '../shared/elements.ts'
import { appendParts } from '../text/chunks.ts'
import { DisplayedText, getLineLayout } from '../text/displayed-text.ts'
import { LineTints, Painter } from '../viewer/highlighting/highlighting.ts'
import type { DisplayedLog } from '../viewer/views/view-worker.ts'
import { ERROR, WARNING } from './levels.ts'
import { countFolds, LOG_LINE_STYLES, type ParsedLog, readFold } from './parse-log.ts'
import {
  foldLines,
  getShownText,
  getShownTokens,
  type LineRuns,
  listRuns,
  ShownLines,
  showAll,
} from './shown-lines.ts'

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

interface ShownFold {
  readonly index: number
  /** The position of its header, from 1. */
  readonly position: number
  readonly lines: number
  readonly isFolded: boolean
}

function* findShownFolds(
  folds: Uint32Array,
  { shown, unfolded, folded }: Omit<LogTextOptions, 'text' | 'log'>,
): Generator<ShownFold> {
  for (let index = 0; index < countFolds(folds); index++) {
    const { header, start, end } = readFold(folds, index)
    const position = shown.findPositions({ first: header + 1, last: header + 1 })?.first
    // A filter may show a header as the context of another entry, without the lines.
    if (position === undefined || !unfolded.findPositions({ first: start + 1, last: end })) continue
    yield { index, position, lines: end - start, isFolded: folded.has(index) }
  }
}

/** The stylesheet generates the button's text, so that it is neither copied nor searched. */
function createFoldButton({ index, lines, isFolded }: ShownFold): HTMLButtonElement {
  const button = createElement('button', {
    type: 'button',
    className: 'fold',
    ariaLabel: `${lines.toLocaleString('en')} more lines`,
    ariaExpanded: String(!isFolded),
  })
  button.dataset.fold = String(index)
  return button
}

interface LogTextOptions {
  readonly log: ParsedLog
  readonly text: string
  readonly shown: ShownLines
  readonly unfolded: ShownLines
  readonly folded: ReadonlySet<number>
}

function appendChunk(parent: HTMLElement, chunk: string, firstPosition: number, folds: readonly ShownFold[]) {
  let [position, searched, from] = [firstPosition, 0, 0]
  for (const fold of folds) {
    for (; position < fold.position; position++) searched = chunk.indexOf('\n', searched) + 1
    const lineBreak = chunk.indexOf('\n', searched)
    const to = lineBreak === -1 ? chunk.length : lineBreak
    appendParts(parent, chunk.slice(from, to))
    parent.append(createFoldButton(fold))
    from = to
  }
  appendParts(parent, chunk.slice(from))
}

function createLogText({ log, text, ...lines }: LogTextOptions): {
  pre: HTMLElement
  displayed: LogText
} {
  const plan = planChunks(text)
  const content = createElement('span', { className: 'terminal-text' })
  const pre = createElement('pre', {}, content)
  pre.classList.add('log', ...getTextClasses(plan))
  const folds = [...findShownFolds(log.folds, lines)]
  let [position, next] = [1, 0]
  for (const chunk of splitText(text, plan)) {
    const end = position + (plan.linesPerChunk ?? plan.lineCount)
    const first = next
    while ((folds[next]?.position ?? end) < end) next += 1
    const parent = plan.linesPerChunk === null ? content : createElement('span', { className: 'chunk' })
    appendChunk(parent, chunk, position, folds.slice(first, next))
    if (parent !== content) content.append(parent)
    position = end
  }
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
    chunks.push(linesPerChunk === null ? data : createElement('span', { className: 'chunk' }, data))
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

/** Also the classes of tints and ticks. */
const TINTED: Readonly<Record<number, string>> = { [ERROR]: 'error-row', [WARNING]: 'warning-row' }

/** Places along the scrollbar that can have a tick. */
const TICKS = 300

/** Shows where the errors and warnings are, along the scrollbar of the page. */
class Ticks {
  readonly element = createElement('div', { className: 'log-ticks', ariaHidden: 'true' })
  #drawnFor = 0

  clear(): void {
    this.element.remove()
    this.#drawnFor = 0
  }

  /** `kinds` are those of the lines of the text. */
  paint(text: DisplayedText, kinds: () => Iterable<string | undefined>): void {
    const { scrollHeight } = document.documentElement
    if (this.#drawnFor === scrollHeight) return
    this.#drawnFor = scrollHeight
    const { top, height } = text.element.getBoundingClientRect()
    const start = ((top + scrollY) / scrollHeight) * TICKS
    const perLine = (height / text.lines / scrollHeight) * TICKS
    const ticks: string[] = []
    let line = 0
    for (const kind of scrollHeight > innerHeight ? kinds() : []) {
      const tick = Math.floor(start + perLine * line++)
      if (kind && ticks[tick] !== TINTED[ERROR]) ticks[tick] = kind
    }
    this.element.replaceChildren(
      ...Object.entries(ticks).map(([tick, className]) => {
        const element = createElement('div', { className })
        element.style.top = `${(Number(tick) / TICKS) * 100}%`
        return element
      }),
    )
    document.body.append(this.element)
  }
}

interface Displayed {
  readonly pre: HTMLElement
  readonly text: LogText
  readonly tints: LineTints
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
  readonly #ticks = new Ticks()
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
    this.#displayed.tints.paint()
    this.#ticks.paint(this.text, () => this.#listTints())
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
    this.#ticks.clear()
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
    this.#ticks.clear()
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
    return foldLines(this.filtered, this.log.folds, this.folded)
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
    const coloured = terminal && terminal.tokens.length > 0 ? terminal.tokens : null
    const shownTokens = getShownTokens(coloured ?? tokens, lineStarts, runs)
    const styles = coloured ? ANSI_STYLES : LOG_LINE_STYLES
    const painter = supportsHighlights() ? new Painter(displayed, shownTokens, styles) : null
    const tints = new LineTints(displayed, (line) => this.#getTint(displayed.numberOf(line) - 1))
    return { pre, text: displayed, tints, painter }
  }

  #getTint(index: number): string | null {
    return TINTED[this.log.levels[index] ?? 0] ?? null
  }

  *#listTints(): Generator<string | undefined> {
    for (const [from, to] of listRuns(this.#getRuns()))
      for (const level of this.log.levels.subarray(from, to)) yield TINTED[level]
  }

  #fillNumbers(): void {
    if (this.#place.numbers) fillNumbers(this.#place.numbers, this.text)
  }
}
