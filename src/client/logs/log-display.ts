import { formatCount } from '../../shared/format.ts'
import { getTextClasses, planChunks, skipLines, splitText } from '../../shared/lines.ts'
import { ANSI_STYLES } from '../highlight/tokens.ts'
import { createElement, supportsHighlights } from '../shared/elements.ts'
import { fillChunks, workAtOnce, workInTurns } from '../text/chunks.ts'
import { DisplayedText } from '../text/displayed-text.ts'
import { createLineTints, placeLineNumbers, removePlacedNumbers } from '../viewer/extras.ts'
import { createPainter } from '../viewer/highlighting/highlighting.ts'
import type { LinkedLines } from '../viewer/lines.ts'
import type { DisplayedLog } from '../viewer/views/view-worker.ts'
import { ERROR, WARNING } from './levels.ts'
import { countFolds, LOG_LINE_STYLES, readFold } from './parse-log.ts'
import {
  createShownLines,
  foldLines,
  getAllRuns,
  getShownText,
  getShownTokens,
  type LineRuns,
  listRuns,
  type ShownLines,
} from './shown-lines.ts'

/** Each has the offset where its header ends. */
function* findShownFolds({ log: { folds }, text, shown, unfolded, folded }: LogTextOptions) {
  let [skipped, headerEnd] = [0, 0]
  for (let index = 0; index < countFolds(folds); index++) {
    const { header, start, end } = readFold(folds, index)
    const position = shown.findPositions({ first: header + 1, last: header + 1 })?.first
    // A filter may show a header as the context of another entry, without the lines.
    if (position === undefined || !unfolded.findPositions({ first: start + 1, last: end })) continue
    headerEnd = skipLines(text, headerEnd, position - skipped)
    skipped = position
    yield { headerEnd, index, lines: end - start, isFolded: folded.has(index) }
  }
}

type ShownFold = ReturnType<typeof findShownFolds> extends Generator<infer Fold> ? Fold : never

/** The stylesheet generates its text, so that it is neither copied nor searched. */
function createFoldButton({ index, lines, isFolded }: ShownFold): HTMLElement {
  const button = createElement('button', {
    type: 'button',
    className: 'fold',
    ariaLabel: formatCount(lines, 'more line'),
    ariaExpanded: String(!isFolded),
  })
  button.dataset.fold = String(index)
  return button
}

interface LogTextOptions {
  readonly log: DisplayedLog
  readonly text: string
  readonly shown: ShownLines
  readonly unfolded: ShownLines
  readonly folded: ReadonlySet<number>
}

function* createLogText(options: LogTextOptions) {
  const { log, text, shown } = options
  // The worker has measured the whole text, which takes long.
  const plan = shown.count === log.levels.length ? log.chunks : planChunks(text)
  const content = createElement('span', { className: 'terminal-text' })
  const pre = createElement('pre', {}, content)
  pre.classList.add('log', ...getTextClasses(plan))
  yield* fillChunks(content, splitText(text, plan), plan)
  const folds = [...findShownFolds(options)]
  if (folds.length > 0) {
    const plain = new DisplayedText(content)
    // From the end, so that the text before keeps its nodes. Browsers would update each live range at every split.
    for (const fold of folds.reverse()) {
      const { startContainer, startOffset } = plain.staticRange(fold.headerEnd - 1, fold.headerEnd)
      if (startContainer instanceof Text) startContainer.splitText(startOffset).before(createFoldButton(fold))
      yield
    }
  }
  yield
  class LogText extends DisplayedText {
    override get lastNumber() {
      return log.levels.length
    }

    override getNumber(line: number) {
      return shown.numberAt(line)
    }

    override findLines(numbers: LinkedLines) {
      return shown.findPositions(numbers)
    }
  }
  return { pre, displayed: new LogText(content) }
}

/** The classes of lines with errors and warnings, and of their tints and ticks. */
const TINTED: Readonly<Record<number, string>> = { [ERROR]: 'error-row', [WARNING]: 'warning-row' }

/** Buckets of lines along the right edge of the text. */
const TICKS = 200
/** The opacity of a bucket with the fewest lines. */
const MIN_OPACITY = 0.4

/** Shows where the errors and warnings are, along the part of the text that is in the window. */
function createTicks() {
  const element = createElement('div', { className: 'log-ticks', ariaHidden: 'true' })
  let drawnFor: DisplayedText | null = null
  const draw = (lines: number, levels: Uint8Array, runs: LineRuns) => {
    const errors = new Uint32Array(TICKS)
    const warnings = new Uint32Array(TICKS)
    let line = 0
    // A generator of lines would take a slow phone 0.3 s for a million of them.
    for (const [from, to] of listRuns(runs)) {
      for (let index = from; index < to; index++) {
        const level = levels[index]
        const bucket = Math.floor((line++ * TICKS) / lines)
        if (level === ERROR) errors[bucket] = (errors[bucket] ?? 0) + 1
        else if (level === WARNING) warnings[bucket] = (warnings[bucket] ?? 0) + 1
      }
    }
    const counts = errors.map((count, bucket) => count || (warnings[bucket] ?? 0))
    const most = Math.max(1, ...counts)
    const marks: HTMLElement[] = []
    for (const [bucket, count] of counts.entries()) {
      if (count === 0) continue
      const mark = createElement('div', { className: TINTED[errors[bucket] ? ERROR : WARNING] ?? '' })
      mark.style.top = `${(bucket / TICKS) * 100}%`
      mark.style.opacity = String(MIN_OPACITY + (1 - MIN_OPACITY) * (count / most))
      marks.push(mark)
    }
    element.replaceChildren(...marks)
  }
  const paint = (text: DisplayedText, levels: Uint8Array, getRuns: () => LineRuns) => {
    const box = text.element.closest('.text')?.getBoundingClientRect()
    if (!box) return
    if (drawnFor !== text) draw(text.lines, levels, getRuns())
    drawnFor = text
    const tools = document.querySelector('.tools')?.getBoundingClientRect().bottom ?? 0
    const [top, bottom] = [Math.max(box.top, tools, 0), Math.min(box.bottom, innerHeight)]
    const { clientWidth } = document.documentElement
    element.style.top = `${top}px`
    element.style.height = `${Math.max(0, bottom - top)}px`
    element.style.right = `${Math.max(0, clientWidth - box.right)}px`
    // A text that is in the window as a whole needs no map.
    element.hidden = box.height <= innerHeight
    document.body.append(element)
  }
  const clear = () => {
    element.remove()
    drawnFor = null
  }
  return { paint, clear }
}

interface DisplayOptions {
  readonly log: DisplayedLog
  /** The whole text, without terminal escape sequences. */
  readonly content: string
  readonly source: HTMLElement
  readonly onChange: () => void
}

export async function createLogDisplay({ log, content, source, onChange }: DisplayOptions) {
  const ticks = createTicks()
  const folded = new Set<number>()
  let filtered = getAllRuns(log.levels.length)

  const getRuns = () => foldLines(filtered, log.folds, folded)
  function* create() {
    const { lineStarts, terminal, tokens } = log
    const runs = getRuns()
    const { pre, displayed: text } = yield* createLogText({
      log,
      text: getShownText(content, lineStarts, runs),
      shown: createShownLines(runs),
      unfolded: createShownLines(filtered),
      folded,
    })
    const coloured = terminal && terminal.tokens.length > 0 ? terminal.tokens : null
    const shownTokens = getShownTokens(coloured ?? tokens, lineStarts, runs)
    const styles = coloured ? ANSI_STYLES : LOG_LINE_STYLES
    const painter = supportsHighlights() ? createPainter(text, shownTokens, styles) : null
    const tints = createLineTints(text, (line) => TINTED[log.levels[text.getNumber(line) - 1] ?? 0])
    return { pre, text, tints, painter }
  }
  let displayed = await workInTurns(create())

  const show = () => {
    source.hidden = true
    source.after(displayed.pre)
  }
  const clear = () => {
    displayed.painter?.clear()
    displayed.pre.remove()
    ticks.clear()
  }
  const update = () => {
    clear()
    displayed = workAtOnce(create())
    show()
    onChange()
  }
  return {
    folded,
    text: () => displayed.text,
    pre: () => displayed.pre,
    paint: () => {
      displayed.painter?.paint()
      displayed.tints.paint()
      ticks.paint(displayed.text, log.levels, getRuns)
      placeLineNumbers(displayed.text)
    },
    show,
    hide: () => {
      clear()
      source.hidden = false
      removePlacedNumbers()
    },
    update,
    /** Takes effect with the next update. */
    setFiltered: (runs: LineRuns) => {
      filtered = runs
    },
    getDisplayedText: () => getShownText(content, log.lineStarts, getRuns()),
    countShown: () => createShownLines(getRuns()).count,
  }
}
