import { COPY_FAILED, copyToClipboard, requireElement } from '../shared/elements.ts'
import { yieldToPage } from '../shared/yield.ts'
import type { LinkedLines } from '../viewer/lines.ts'
import { loadExtraStyles } from '../viewer/toolbar.ts'
import type { MountedView, MountView, ViewContext } from '../viewer/views/views.ts'
import { countLines, escapePattern, type LogFilter, showsEverything } from './filter-lines.ts'
import { findLineAtTime, formatLogTime, parseTimeQuery } from './go-to-time.ts'
import { createLogBar, type LogBar } from './log-bar.ts'
import { type LogClient, startLogClient } from './log-client.ts'
import { LogDisplay } from './log-display.ts'
import { TRACE_SIZE } from './parse-log.ts'
import { showAll } from './shown-lines.ts'

const MAX_WORK_MS = 30

/** Without its styles, a log is still readable. */
const loadStyles = (address: string): Promise<void> =>
  new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address })
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => resolve())
    document.head.append(link)
  })

const formatLines = (lines: number) => `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`

class LogView {
  readonly #context: ViewContext
  readonly #client: LogClient
  readonly #display: LogDisplay
  readonly #bar: LogBar

  constructor(context: ViewContext, source: HTMLElement, content: string, client: LogClient) {
    const { log } = client
    this.#context = context
    this.#client = client
    this.#display = new LogDisplay(log, log.terminal?.plainText ?? content, {
      source,
      numbers: context.section.querySelector<HTMLElement>('.numbers'),
      onChange: context.onTextChange,
    })
    this.#bar = createLogBar({
      counts: log.counts,
      hasTimes: log.times.some((time) => !Number.isNaN(time)),
      hasTraces: this.#traces > 0,
      onFilter: (filter) => void this.#applyFilter(filter),
      onFoldAll: (isFolded) => this.#foldAll(isFolded),
      onGoToTime: (query) => this.#goToTime(query),
      onCopy: () => void this.#copy(),
    })
  }

  get #traces(): number {
    return this.#client.log.traces.length / TRACE_SIZE
  }

  mount(): MountedView {
    const display = this.#display
    display.show()
    this.#context.section.before(this.#bar.element)
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
        this.#bar.toggle.remove()
        display.hide()
      },
    }
  }

  toggleTrace(button: HTMLElement): void {
    const trace = Number(button.dataset.trace)
    const { folded } = this.#display
    if (!folded.delete(trace)) folded.add(trace)
    this.#update((this.#client.log.traces[trace * TRACE_SIZE] ?? 0) + 1)
    const selector = `[data-trace="${trace}"]`
    this.#display.pre.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  }

  #update(keptNumber?: number): void {
    this.#display.update(keptNumber)
    this.#bar.setFolded(this.#display.folded.size === this.#traces)
    this.#bar.setPartial(this.#display.isPartial)
  }

  async #applyFilter(filter: LogFilter): Promise<void> {
    const result = await this.#client.filter(filter)
    if (!result) return
    if ('problem' in result) {
      this.#bar.setStatus(result.problem, true)
      return
    }
    this.#display.filtered = result.runs
    this.#update()
    const [count, all] = [countLines(result.runs), formatLines(this.#display.text.lastNumber)]
    if (showsEverything(filter)) this.#bar.setStatus('')
    else this.#bar.setStatus(count === 0 ? `None of ${all} match` : `${count.toLocaleString('en')} of ${all}`)
  }

  #foldAll(isFolded: boolean): void {
    const { folded } = this.#display
    folded.clear()
    for (let trace = 0; isFolded && trace < this.#traces; trace++) folded.add(trace)
    this.#update()
  }

  #goToTime(query: string): void {
    const { log } = this.#client
    const time = parseTimeQuery(query, log, Date.now())
    const line = time === null ? null : findLineAtTime(log, time)
    if (time === null || line === null) {
      this.#bar.setStatus(
        time === null
          ? 'Enter a time such as 14:32 or 2026-11-22 14:32:00'
          : `Nothing at or after ${formatLogTime(time, log.offset)}`,
      )
      return
    }
    history.replaceState(history.state, '', `#L${line}`)
    dispatchEvent(new Event('hashchange'))
    this.#bar.setStatus(
      `Line ${line.toLocaleString('en')}: ${formatLogTime(log.times[line - 1] ?? 0, log.offset)}`,
    )
  }

  /** Unfolds their traces, and removes a filter that hides them. */
  #reveal(lines: LinkedLines): void {
    if (this.#display.text.findLines({ first: lines.first, last: lines.first })) return
    const { log } = this.#client
    const isShown = () => this.#display.text.findLines({ first: lines.first, last: lines.first }) !== null
    for (const trace of this.#display.folded) {
      const [start = 0, end = 0] = log.traces.subarray(trace * TRACE_SIZE + 1, (trace + 1) * TRACE_SIZE)
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
      const [start = 0, end = 0] = log.traces.subarray(trace * TRACE_SIZE + 1, (trace + 1) * TRACE_SIZE)
      if (pattern.test(content.slice(log.lineStarts[start], log.lineStarts[end]))) folded.delete(trace)
      if (performance.now() - started < MAX_WORK_MS) continue
      await yieldToPage()
      started = performance.now()
    }
    if (folded.size < before) this.#update()
  }

  async #copy(): Promise<void> {
    const copied = await copyToClipboard(this.#display.getDisplayedText())
    this.#context.announce(copied ? 'Copied.' : COPY_FAILED)
  }
}

async function createLogView(context: ViewContext): Promise<LogView> {
  const { code, section } = context
  const { logWorker = '', logStyles = '' } = section.dataset
  const content = code.textContent ?? ''
  const [client] = await Promise.all([
    startLogClient(logWorker, content),
    loadStyles(logStyles),
    loadExtraStyles(),
  ])
  const view = new LogView(context, code.parentElement ?? code, content, client)
  section.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button.fold') : null
    if (button) view.toggleTrace(button)
  })
  return view
}

let view: Promise<LogView> | null = null

export const mountLog: MountView = async (context) => {
  view ??= createLogView(context)
  try {
    return (await view).mount()
  } catch (error) {
    console.error(error)
    view = null
    throw new Error('The log view couldn’t be displayed.')
  }
}
