import { formatCount } from '../../shared/format.ts'
import { hasTerminalControls } from '../highlight/ansi.ts'
import { TOKEN_SIZE } from '../highlight/tokens.ts'
import { copyAndSay, loadStyles, requireElement, supportsHighlights } from '../shared/elements.ts'
import { startShortcuts } from '../shared/shortcuts.ts'
import { createWorkerClient, type WorkerClient } from '../shared/workers.ts'
import { createTurns } from '../text/chunks.ts'
import { type DisplayedText, getLineLayout } from '../text/displayed-text.ts'
import { createPainter } from '../viewer/highlighting/highlighting.ts'
import { type LinkedLines, parseLinkedLines } from '../viewer/lines.ts'
import { loadExtraStyles } from '../viewer/toolbar.ts'
import type { DisplayedLog, ViewTasks } from '../viewer/views/view-worker.ts'
import type { MountedView, OpenView, ViewContext } from '../viewer/views/views.ts'
import { ERROR, WARNING } from './levels.ts'
import { createLogBar } from './log-bar.ts'
import { createLogDisplay } from './log-display.ts'
import { countFolds, LOG_LINE_STYLES, parseLog, readFold } from './parse-log.ts'
import {
  createPattern,
  createShownLines,
  findEntry,
  getAllRuns,
  type LogFilter,
  showsEverything,
} from './shown-lines.ts'
import { findLineAtTime, formatLogTime, parseTimeQuery } from './timestamps.ts'

interface ReadLog {
  readonly log: DisplayedLog
  readonly source: string
  /** The worker that keeps the log. */
  readonly worker: WorkerClient<ViewTasks>
}

async function createLogView(context: ViewContext, { log, source, worker }: ReadLog) {
  const { section } = context
  const code = context.text.element
  const content = log.terminal?.plainText ?? source
  const display = await createLogDisplay({
    log,
    content,
    source: code.parentElement ?? code,
    onChange: context.onTextChange,
  })
  const { folded } = display
  const lines = log.levels.length
  const folds = countFolds(log.folds)

  let isOutdated = false
  const update = (keptNumber?: number) => {
    // What was asked for may arrive after the reader has switched to the source.
    isOutdated = !bar.element.isConnected
    if (isOutdated) return
    context.keepPosition(display.update, keptNumber)
    bar.setFolded(folded.size === folds)
    bar.setShown(display.countShown(), lines)
  }
  let filters = 0
  const applyFilter = async (filter: LogFilter) => {
    const number = ++filters
    const result = await worker.ask('filterLog', filter)
    if (!result || number !== filters) return
    if ('problem' in result) {
      bar.setStatus(result.problem, true)
      return
    }
    display.setFiltered(result.runs)
    update()
    const [count, all] = [createShownLines(result.runs).count, formatCount(lines, 'line')]
    if (showsEverything(filter)) bar.setStatus('')
    else bar.setStatus(count === 0 ? `None of ${all} match` : `${count.toLocaleString('en')} of ${all}`)
  }
  const foldAll = (isFolded: boolean) => {
    folded.clear()
    for (let trace = 0; isFolded && trace < folds; trace++) folded.add(trace)
    update()
  }
  const jump = (query: string): boolean => {
    if (parseLinkedLines(query)) {
      const isFound = context.goTo(query) !== null
      bar.setStatus(isFound ? '' : `The log has ${formatCount(lines, 'line')}`)
      return isFound
    }
    const time = parseTimeQuery(query, log, Date.now())
    const line = time === null ? null : findLineAtTime(log, time)
    if (time === null || line === null) {
      bar.setStatus(
        time === null
          ? 'Enter a line, or a time such as 14:32 or 2026-11-22 14:32:00'
          : `Nothing at or after ${formatLogTime(time, log.offset)}`,
      )
      return false
    }
    context.goTo(String(line))
    bar.setStatus(`Line ${line.toLocaleString('en')}: ${formatLogTime(log.times[line - 1] ?? 0, log.offset)}`)
    return true
  }
  /** Goes to the next error, or warning if the log has no errors, from the linked line or the first visible one. */
  const step = (isBackwards: boolean) => {
    const level = log.counts[ERROR - 1] ? ERROR : WARNING
    const text = display.text()
    const linked = parseLinkedLines(location.hash.slice(1))?.first
    const from = linked ?? text.getNumber(getLineLayout(text).lineAt(0)) - (isBackwards ? 0 : 1)
    const found = findEntry(log, level, from - 1, isBackwards)
    if (!found) {
      context.announce('No errors or warnings.')
      return
    }
    context.goTo(String(found.index + 1))
    const [position, count] = [found.position, found.count].map((number) => number.toLocaleString('en'))
    context.announce(`${level === ERROR ? 'Error' : 'Warning'} ${position} of ${count}`)
  }
  /** Unfolds their traces, and removes a filter that hides them. */
  const reveal = ({ first, last }: LinkedLines) => {
    const isShown = () => display.text().findLines({ first, last: first }) !== null
    if (isShown()) return
    for (const trace of folded) {
      const { start, end } = readFold(log.folds, trace)
      if (start < last && end >= first) folded.delete(trace)
    }
    update()
    if (isShown()) return
    bar.reset()
    filters += 1
    display.setFiltered(getAllRuns(lines))
    update()
    bar.setStatus('Filter removed to show the line')
  }
  const revealMatches = async (query: string) => {
    const pattern = createPattern(query)
    const before = folded.size
    const takeTurn = createTurns()
    for (const trace of [...folded]) {
      const { start, end } = readFold(log.folds, trace)
      if (pattern.test(content.slice(log.lineStarts[start], log.lineStarts[end]))) folded.delete(trace)
      await takeTurn()
    }
    if (folded.size < before) update()
  }

  const bar = createLogBar({
    counts: log.counts,
    hasTimes: log.times.some((time) => !Number.isNaN(time)),
    folds: folds === 0 ? null : log.groups === 0 ? 'traces' : log.groups === folds ? 'groups' : 'all',
    onFilter: (filter) => void applyFilter(filter),
    onFoldAll: foldAll,
    onJump: jump,
    onStep: step,
    onCopy: () => void copyAndSay(display.getDisplayedText(), context.announce),
  })
  startShortcuts({ n: ({ shiftKey }) => bar.element.isConnected && step(shiftKey) })
  section.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button.fold') : null
    if (!button) return
    const fold = Number(button.dataset.fold)
    if (!folded.delete(fold)) folded.add(fold)
    update(readFold(log.folds, fold).header + 1)
    display.pre().querySelector<HTMLElement>(`[data-fold="${fold}"]`)?.focus({ preventScroll: true })
  })
  return (): MountedView => {
    display.show()
    section.before(bar.element, bar.empty)
    requireElement('#views').after(bar.toggle)
    if (isOutdated) update()
    return {
      get text() {
        return display.text()
      },
      hasSourceLines: true,
      numbersLines: true,
      paint: display.paint,
      reveal,
      revealMatches,
      unmount: () => {
        bar.element.remove()
        bar.empty.remove()
        bar.toggle.remove()
        display.hide()
      },
    }
  }
}

/** Lines above and below the window that are coloured, too. */
const MARGIN_LINES = 60

/** Colours the lines near the window until the worker has read the log. */
export function createLogColours(text: DisplayedText) {
  const none = { first: 0, last: -1, painter: null as ReturnType<typeof createPainter> | null }
  let painted = none
  let isOver = !supportsHighlights()
  const paint = () => {
    if (isOver) return
    const layout = getLineLayout(text)
    const [top, bottom] = [layout.lineAt(0), layout.lineAt(innerHeight)]
    if (top < painted.first || bottom > painted.last) {
      const [first, last] = [Math.max(1, top - MARGIN_LINES), Math.min(text.lines, bottom + MARGIN_LINES)]
      const start = text.lineStart(first)
      const part = text.slice(start, text.lineStart(last + 1))
      // What a terminal shows has other offsets.
      const tokens = hasTerminalControls(part) ? new Uint32Array() : parseLog(part, Date.now()).tokens
      const shifted = tokens.map((number, index) =>
        index % TOKEN_SIZE === TOKEN_SIZE - 1 ? number : number + start,
      )
      painted.painter?.clear()
      painted = { first, last, painter: createPainter(text, shifted, LOG_LINE_STYLES) }
      text.element.parentElement?.classList.add('log')
    }
    painted.painter?.paint()
  }
  const stop = () => {
    isOver = true
    painted.painter?.clear()
    text.element.parentElement?.classList.remove('log')
  }
  return { paint, clear: stop, stop }
}

export const openLog: OpenView = async (context) => {
  const { viewWorker = '', viewStyles = '' } = context.section.dataset
  const worker = createWorkerClient<ViewTasks>(viewWorker)
  // Joining the text of all chunks takes long.
  const source = context.text.element.textContent ?? ''
  const [log] = await Promise.all([
    worker.ask('parseLog', source),
    // Without its styles, a log is still readable.
    loadStyles(viewStyles),
    loadExtraStyles(),
  ])
  return createLogView(context, { log, source, worker })
}
