import { MAX_WHOLE_LINE_UNITS } from '../../shared/lines.ts'
import type { HighlightTasks } from '../highlight/highlight-worker.ts'
import { loadLanguage } from '../highlight/language-file.ts'
import { CODE_STYLES, getTokensBetween, type Tokens } from '../highlight/tokens.ts'
import { loadStyles, supportsHighlights } from '../shared/elements.ts'
import { createWorkerClient, type WorkerClient } from '../shared/workers.ts'
import { type DisplayedText, getLineLayout } from '../text/displayed-text.ts'
import { createMarker } from '../viewer/highlighting/highlighting.ts'
import type { ViewTasks } from '../viewer/views/view-worker.ts'

/** UTF-16 units that are parsed at once, and for how long at most. A worker parses what is left. */
const FIRST_PART = 8 * 1024
const MAX_FIRST_MS = 20
/** A text on its own has the same bound. */
const MAX_HIGHLIGHTED = 2 * 1024 * 1024
/** How many tokens of all files in the window are painted at once. */
const MAX_TOKENS = 2_500
/** The share of the window's height that is painted above and below the window, too. */
const MARGIN = 0.5
/** Makes most frames of scrolling paint nothing new. */
const STEP_LINES = 20

/** Tokens, and the names of the highlights that they are painted with. */
export interface Colours {
  readonly tokens: Tokens
  readonly styles: readonly string[]
}

/** Returns null for a log with escape sequences, which has colours of its own. */
async function colourLog(text: DisplayedText, root: HTMLElement): Promise<Colours | null> {
  const { viewWorker = '', viewStyles = '' } = root.dataset
  const { ask, stop } = createWorkerClient<ViewTasks>(viewWorker)
  const [{ tokens, terminal }, { LOG_LINE_STYLES: styles }] = await Promise.all([
    ask('parseLog', text.slice(0, MAX_HIGHLIGHTED)).finally(stop),
    import('../logs/parse-log.ts'),
    loadStyles(viewStyles),
  ])
  text.element.parentElement?.classList.add('log')
  return terminal ? null : { tokens, styles }
}

interface ColoursOptions {
  readonly language: string
  /** Has the addresses of workers and styles. */
  readonly root: HTMLElement
  readonly worker: WorkerClient<HighlightTasks>
  readonly onColours: () => void
}

/** Returns what is the latest to know of the colours of a text. Both are asked before each frame. */
export function startColours(
  text: DisplayedText,
  { language, root, worker, onColours }: ColoursOptions,
): () => Colours | null {
  let colours: Colours | null = null
  const show = (next: Colours | null) => {
    colours = next
    onColours()
  }
  const showTokens = (tokens: Tokens) => show({ tokens, styles: CODE_STYLES })
  const parse = async () => {
    if (!supportsHighlights()) return
    if (language === 'log') return show(await colourLog(text, root))
    const file = await loadLanguage(language)
    if (!file) return
    const first = file.getTokens(text.slice(0, FIRST_PART), MAX_FIRST_MS)
    showTokens(first.tokens)
    if (first.end >= text.length) return
    const code = { language, text: text.slice(0, MAX_HIGHLIGHTED) }
    const answer = await worker.ask('highlight', code, (part) =>
      showTokens((part as { tokens: Tokens }).tokens),
    )
    if (answer) showTokens(answer.tokens)
  }
  parse().catch(() => {})
  return () => colours
}

interface Coloured extends Colours {
  readonly slug: string
  readonly text: DisplayedText
}

/** Paints what is near the window in all files: the browser has one highlight for each colour. */
export function createFilesPainter() {
  const markPainted = createMarker('painted')
  const used = new Set<string>()
  let painted = ''
  return (files: readonly Coloured[]): void => {
    const areas = files.map((file) => {
      const { lineAt } = getLineLayout(file.text)
      const first = lineAt(-MARGIN * innerHeight)
      const last = Math.ceil(lineAt((1 + MARGIN) * innerHeight) / STEP_LINES) * STEP_LINES
      return { ...file, first: first - ((first - 1) % STEP_LINES), last: Math.min(file.text.lines, last) }
    })
    const state = areas.map(({ slug, text, tokens, first, last }) =>
      [slug, first, last, text.revision, tokens.length].join(),
    )
    if (state.join(' ') === painted) return
    painted = state.join(' ')
    const ranges = new Map<string, StaticRange[]>()
    let left = MAX_TOKENS
    for (const { text, tokens, styles, first, last } of areas) {
      for (let line = first; line <= last; line++) {
        const [start, end] = [text.lineStart(line), text.lineStart(line + 1)]
        // Painting a line of a megabyte freezes the browser for seconds.
        if (end - start > MAX_WHOLE_LINE_UNITS) continue
        for (const { from, to, style } of getTokensBetween(tokens, start, end)) {
          if (left-- <= 0) break
          const range = text.staticRange(Math.max(from, start), Math.min(to, end))
          const name = styles[style] ?? ''
          const known = ranges.get(name)
          if (known) known.push(range)
          else ranges.set(name, [range])
          used.add(name)
        }
      }
    }
    markPainted([...ranges.values()].flat())
    for (const name of used) {
      const highlight = new Highlight()
      for (const range of ranges.get(name) ?? []) highlight.add(range)
      CSS.highlights.set(name, highlight)
    }
  }
}
