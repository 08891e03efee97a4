import { copyAndSay, loadStyles, requireElement } from '../shared/elements.ts'
import { startShortcuts } from '../shared/shortcuts.ts'
import { createWorkerClient, type WorkerClient } from '../shared/workers.ts'
import { yieldToPage } from '../text/chunks.ts'
import { getLineLayout } from '../text/displayed-text.ts'
import { type LinkedLines, parseLinkedLines } from '../viewer/lines.ts'
import { loadExtraStyles } from '../viewer/toolbar.ts'
import type { DisplayedLog, ViewTasks } from '../viewer/views/view-worker.ts'
import type { MountedView, OpenView, ViewContext } from '../viewer/views/views.ts'
import { ERROR, WARNING } from './levels.ts'
import { createLogBar, type LogBar } from './log-bar.ts'
import { LogDisplay } from './log-display.ts'
import { countFolds, readFold } from './parse-log.ts'
import {
  escapePattern,
  findEntry,
  type LogFilter,
  ShownLines,
  showAll,
  showsEverything,
} from './shown-lines.ts'
import { findLineAtTime, formatLogTime, parseTimeQuery } from './timestamps.ts'

const MAX_WORK_MS = 30

const formatLines = (lines: number) => `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`

class LogView {
  readonly #context: ViewContext
  readonly #log: DisplayedLog
  readonly #worker: WorkerClient<ViewTasks>
  readonly #display: LogDisplay
  readonly #bar: LogBar

  constructor(context: ViewContext, log: DisplayedLog, worker: WorkerClient<ViewTasks>) {
    const { code } = context
    this.#context = context
    this.#log = log
    this.#worker = worker
    this.#display = new LogDisplay(log, log.terminal?.plainText ?? code.textContent ?? '', {
      source: code.parentElement ?? code,
      numbers: context.section.querySelector<HTMLElement>('.numbers'),
      onChange: context.onTextChange,
    })
    this.#bar = createLogBar({
      counts: log.counts,
      hasTimes: log.times.some((time) => !Number.isNaN(time)),
      folds:
        this.#folds === 0
          ? null
          : log.groups === 0
            ? 'traces'
            : log.groups === this.#folds
              ? 'groups'
              : 'all',
      onFilter: (filter) => void this.#applyFilter(filter),
      onFoldAll: (isFolded) => this.#foldAll(isFolded),
      onJump: (query) => this.#jump(query),
      onStep: (isBackwards) => this.step(isBackwards),
      onCopy: () => void copyAndSay(this.#display.getDisplayedText(), context.announce),
    })
  }

  get #folds(): number {
    return countFolds(this.#log.folds)
  }

  mount(): MountedView {
    const display = this.#display
    display.show()
    this.#context.section.before(this.#bar.element, this.#bar.empty)
    requireElement('#views').after(this.#bar.toggle)
    return {
      get text() {
        return display.text
      },
      hasSourceLines: true,
      paint: () => display.paint(),
      reveal: (lines) => this.#reveal(lines),
      revealMatches: (query) => this.#unfoldMatches(query),
      unmount: () => {
        this.#bar.element.remove()
        this.#bar.empty.remove()
        this.#bar.toggle.remove()
        display.hide()
      },
    }
  }

  get isMounted(): boolean {
    return this.#bar.element.isConnected
  }

  toggleFold(button: HTMLElement): void {
    const fold = Number(button.dataset.fold)
    const { folded } = this.#display
    if (!folded.delete(fold)) folded.add(fold)
    this.#update(readFold(this.#log.folds, fold).header + 1)
    const selector = `[data-fold="${fold}"]`
    this.#display.pre.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  }

  #update(keptNumber?: number): void {
    this.#display.update(keptNumber)
    this.#bar.setFolded(this.#display.folded.size === this.#folds)
    const { isPartial, filtered } = this.#display
    this.#bar.setShown({ lines: new ShownLines(filtered).count, isPartial })
  }

  async #applyFilter(filter: LogFilter): Promise<void> {
    const result = await this.#worker.ask('filterLog', filter)
    if (!result) return
    if ('problem' in result) {
      this.#bar.setStatus(result.problem, true)
      return
    }
    this.#display.filtered = result.runs
    this.#update()
    const [count, all] = [new ShownLines(result.runs).count, formatLines(this.#display.text.lastNumber)]
    if (showsEverything(filter)) this.#bar.setStatus('')
    else this.#bar.setStatus(count === 0 ? `None of ${all} match` : `${count.toLocaleString('en')} of ${all}`)
  }

  #foldAll(isFolded: boolean): void {
    const { folded } = this.#display
    folded.clear()
    for (let trace = 0; isFolded && trace < this.#folds; trace++) folded.add(trace)
    this.#update()
  }

  #jump(query: string): void {
    const log = this.#log
    const number = /^\s*\d{1,7}\s*$/.test(query) ? Number(query) : null
    if (number !== null) {
      const isLine = number >= 1 && number <= this.#display.text.lastNumber
      if (isLine) this.#goToLine(number)
      this.#bar.setStatus(isLine ? '' : `The log has ${formatLines(this.#display.text.lastNumber)}`)
      return
    }
    const time = parseTimeQuery(query, log, Date.now())
    const line = time === null ? null : findLineAtTime(log, time)
    if (time === null || line === null) {
      this.#bar.setStatus(
        time === null
          ? 'Enter a line, or a time such as 14:32 or 2026-11-22 14:32:00'
          : `Nothing at or after ${formatLogTime(time, log.offset)}`,
      )
      return
    }
    this.#goToLine(line)
    this.#bar.setStatus(
      `Line ${line.toLocaleString('en')}: ${formatLogTime(log.times[line - 1] ?? 0, log.offset)}`,
    )
  }

  #goToLine(line: number): void {
    history.replaceState(history.state, '', `#L${line}`)
    dispatchEvent(new Event('hashchange'))
  }

  /** Goes to the next error, or warning if the log has no errors, from the linked line or the first visible one. */
  step(isBackwards: boolean): void {
    const log = this.#log
    const level = log.counts[ERROR - 1] ? ERROR : WARNING
    const { text } = this.#display
    const linked = parseLinkedLines(location.hash.slice(1))?.first
    const from = linked ?? text.numberOf(getLineLayout(text).lineAt(0)) - (isBackwards ? 0 : 1)
    const found = findEntry(log, level, from - 1, isBackwards)
    if (!found) {
      this.#context.announce('No errors or warnings.')
      return
    }
    this.#goToLine(found.index + 1)
    const [position, count] = [found.position, found.count].map((number) => number.toLocaleString('en'))
    this.#context.announce(`${level === ERROR ? 'Error' : 'Warning'} ${position} of ${count}`)
  }

  /** Unfolds their traces, and removes a filter that hides them. */
  #reveal(lines: LinkedLines): void {
    const isShown = () => this.#display.text.findLines({ first: lines.first, last: lines.first }) !== null
    if (isShown()) return
    for (const trace of this.#display.folded) {
      const { start, end } = readFold(this.#log.folds, trace)
      if (start < lines.last && end >= lines.first) this.#display.folded.delete(trace)
    }
    this.#update()
    if (isShown()) return
    this.#bar.reset()
    this.#display.filtered = showAll(this.#display.text.lastNumber)
    this.#update()
    this.#bar.setStatus('Filter removed to show the line')
  }

  async #unfoldMatches(query: string): Promise<void> {
    const { content, folded, log } = this.#display
    const pattern = new RegExp(escapePattern(query), 'iu')
    const before = folded.size
    let started = performance.now()
    for (const trace of [...folded]) {
      const { start, end } = readFold(log.folds, trace)
      if (pattern.test(content.slice(log.lineStarts[start], log.lineStarts[end]))) folded.delete(trace)
      if (performance.now() - started < MAX_WORK_MS) continue
      await yieldToPage()
      started = performance.now()
    }
    if (folded.size < before) this.#update()
  }
}

export const openLog: OpenView = async (context) => {
  const { code, section } = context
  const { viewWorker = '', viewStyles = '' } = section.dataset
  const content = code.textContent ?? ''
  const worker = createWorkerClient<ViewTasks>(viewWorker)
  const [log] = await Promise.all([
    worker.ask('parseLog', content),
    // Without its styles, a log is still readable.
    loadStyles(viewStyles),
    loadExtraStyles(),
  ])
  const view = new LogView(context, log, worker)
  startShortcuts({ n: ({ shiftKey }) => view.isMounted && view.step(shiftKey) })
  section.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button.fold') : null
    if (button) view.toggleFold(button)
  })
  return () => view.mount()
}
