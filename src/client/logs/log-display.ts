import { supportsHighlights } from '../highlight/highlight-support.ts'
import { Painter } from '../highlight/painter.ts'
import { ANSI_STYLES } from '../highlight/tokens.ts'
import { getLineLayout } from '../text/line-layout.ts'
import type { LineRuns } from './filter-lines.ts'
import type { DisplayedLog } from './log-messages.ts'
import { createLogText, fillNumbers, type LogText } from './log-text.ts'
import { LOG_STYLES } from './parse-log.ts'
import { foldTraces, ShownLines, showAll } from './shown-lines.ts'
import { getShownText, getShownTokens } from './shown-text.ts'

/** The elements that a log is displayed in, besides its own. */
export interface LogPlace {
  /** The element of the source, which the log replaces. */
  readonly source: HTMLElement
  /** The column of line numbers; null if the document has too many lines for one. */
  readonly numbers: HTMLElement | null
  /** Called after other lines are displayed. */
  readonly onChange: () => void
}

interface Displayed {
  readonly pre: HTMLElement
  readonly text: LogText
  readonly painter: Painter | null
}

/** Takes what is in the column of line numbers. Returns a function that puts it back. */
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

/** Displays the lines of a log that are neither filtered out nor folded away. */
export class LogDisplay {
  readonly log: DisplayedLog
  /** The whole text, without terminal escape sequences. */
  readonly content: string
  /** The lines that the filter shows. */
  filtered: LineRuns
  /** The indexes of the folded stack traces. */
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

  /** Shows the log in place of its source. */
  show(): void {
    const { source, numbers } = this.#place
    source.hidden = true
    source.after(this.#displayed.pre)
    this.#restoreNumbers ??= saveNumbers(numbers)
    this.#fillNumbers()
  }

  /** Shows the source again. */
  hide(): void {
    this.#displayed.painter?.clear()
    this.#displayed.pre.remove()
    this.#place.source.hidden = false
    this.#restoreNumbers?.()
    this.#restoreNumbers = null
  }

  /**
   * Displays the lines that the filter and the folds leave now. The line with this number, or else the first visible
   * one, stays where it is in the window.
   */
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

  /** Returns the text of the lines that are displayed. */
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
    const styles = terminal ? ANSI_STYLES : LOG_STYLES
    const painter = supportsHighlights() ? new Painter(displayed, shownTokens, styles) : null
    return { pre, text: displayed, painter }
  }

  #fillNumbers(): void {
    if (this.#place.numbers) fillNumbers(this.#place.numbers, this.text)
  }
}
