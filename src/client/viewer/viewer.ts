import '../forms/copy.ts'
import { isColoured } from '../highlight/ansi.ts'
import { highlightCode, readMarkdown, readTerminal, sayHighlighted } from '../highlight/highlight.ts'
import { canPaint, Painter } from '../highlight/paint.ts'
import { terminalText } from '../highlight/terminal-output.ts'
import { ANSI_NAMES, CODE_NAMES } from '../highlight/tokens.ts'
import { refreshAges } from './ages.ts'
import { layoutOf } from './layout.ts'
import { linkLines } from './line-links.ts'
import { placeNumbers } from './line-numbers.ts'
import { numberForPrint } from './print.ts'
import { ShownText } from './text-view.ts'
import {
  sayNotShown,
  startDownload,
  startDuplicate,
  startFind,
  startGoToLine,
  startToggle,
  startWrap,
} from './tools.ts'

/** UTF-16 units of Markdown that are rendered: more would make a page that answers slowly. */
const MOST_RENDERED = 1024 * 1024

interface View {
  readonly text: ShownText
  painter: Painter | null
}

/** Makes the page of a document comfortable; what it needs for that later is loaded then. */
function startViewer(section: HTMLElement, code: HTMLElement): void {
  const source: View = { text: new ShownText(code), painter: null }
  let view = source
  const rendered = startRendered(section, source.text)
  const lines = linkLines(section, source.text, () => rendered?.set(false))

  const find = startFind({
    text: () => view.text,
    sight: () => {
      const layout = layoutOf(view.text)
      const [first, last] = [layout.lineAt(0), layout.lineAt(innerHeight)]
      return { from: view.text.lineStart(first), to: view.text.lineStart(last + 1) }
    },
    bring: ({ from, to }) => lines.reach(from, to),
  })

  let asked = false
  /** Once for all that happens between two frames. */
  const follow = () => {
    if (asked) return
    asked = true
    requestAnimationFrame(() => {
      asked = false
      placeNumbers(section, view.text)
      view.painter?.paint()
      find.finder()?.mark()
    })
  }
  const settle = () => {
    lines.place()
    follow()
  }
  const show = (next: View) => {
    view.painter?.clear()
    view = next
    lines.show(view.text)
    find.finder()?.lookAgain()
    follow()
  }
  addEventListener('scroll', follow, { passive: true })
  new ResizeObserver(settle).observe(section)

  startWrap(section, (change) => {
    lines.hold(change)
    follow()
  })
  startDuplicate(section, code)
  startDownload(code)
  startGoToLine(lines, source.text.lines)
  numberForPrint(section, code)
  refreshAges()

  const { highlighter = '', language = '' } = section.dataset
  if (!canPaint()) return
  const whole = code.textContent ?? ''
  if (isColoured(whole)) startColours(highlighter, whole, code, (terminal) => show(terminal ?? source))
  highlightCode(highlighter, language, source.text, ({ tokens, end, last }) => {
    source.painter?.clear()
    source.painter = new Painter(source.text, tokens, CODE_NAMES)
    if (last) sayHighlighted(source.text, end)
    follow()
  })
}

/** Shows a text with the colours that its escape sequences ask for, or as it is. */
function startColours(address: string, text: string, code: HTMLElement, show: (view: View | null) => void) {
  const pre = code.parentElement
  readTerminal(address, text, async (found) => {
    const element = await terminalText(found.text)
    element.hidden = true
    pre?.after(element)
    const content = element.querySelector<HTMLElement>('.terminal-text')
    if (!pre || !content) return
    const shown = new ShownText(content)
    const view = { text: shown, painter: new Painter(shown, found.tokens, ANSI_NAMES) }
    startToggle('#colours', true, (coloured) => {
      pre.hidden = coloured
      element.hidden = !coloured
      show(coloured ? view : null)
    })
  })
}

/** Shows a text in Markdown as it is meant, or as it is written. */
function startRendered(section: HTMLElement, text: ShownText) {
  if (text.length > MOST_RENDERED) return null
  let article: HTMLElement | undefined
  const render = async () => {
    const element = document.createElement('article')
    element.className = 'rendered'
    article = element
    section.after(element)
    try {
      const { cleanMarkdown } = await import('./markdown-view.ts')
      // It comes part by part, so that the page answers meanwhile.
      await readMarkdown(section.dataset.highlighter ?? '', text.element.textContent ?? '', (html) =>
        element.append(cleanMarkdown(html)),
      )
    } catch (error) {
      console.error(error)
      sayNotShown()
      element.remove()
      article = undefined
      toggle?.set(false)
    }
  }
  const toggle = startToggle('#rendered', false, (shown) => {
    section.hidden = shown
    if (shown && !article) void render()
    if (article) article.hidden = !shown
  })
  return toggle
}

/** Starts on the text of the page, if it has one: of an encrypted document only once that has been opened. */
function start(): void {
  const section = document.querySelector<HTMLElement>('section.text')
  const code = section?.querySelector('code')
  if (section && code) startViewer(section, code)
}

start()
document.addEventListener('regent:document', start)
