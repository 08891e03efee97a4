import '../forms/copy-button.ts'
import { hasAnsiStyles } from '../highlight/ansi.ts'
import { highlightCode } from '../highlight/highlight-client.ts'
import { Painter, supportsHighlights } from '../highlight/painter.ts'
import { CODE_STYLES } from '../highlight/tokens.ts'
import { DisplayedText } from '../text/displayed-text.ts'
import { getLineLayout } from '../text/line-layout.ts'
import { showHighlightLimits } from './highlight-limits.ts'
import { startLineLinks } from './line-links.ts'
import { startMarkdownView } from './markdown-view.ts'
import { numberLinesForPrint } from './print-lines.ts'
import { refreshRelativeTimes } from './relative-times.ts'
import { startTerminalView } from './terminal-view.ts'
import { startDownload, startDuplicate, startFind, startGoToLine, startWrap } from './toolbar.ts'
import { placeWrappedLineNumbers } from './wrapped-line-numbers.ts'

interface View {
  readonly text: DisplayedText
  painter: Painter | null
}

/** Starts the toolbar, line links and highlighting on the page of a document. */
function startViewer(section: HTMLElement, code: HTMLElement): void {
  const source: View = { text: new DisplayedText(code), painter: null }
  let view = source
  const markdown = startMarkdownView(section, source.text)
  const lineLinks = startLineLinks(section, source.text, () => markdown?.set(false))

  const find = startFind({
    text: () => view.text,
    visibleRange: () => {
      const layout = getLineLayout(view.text)
      const [first, last] = [layout.lineAt(0), layout.lineAt(innerHeight)]
      return { from: view.text.lineStart(first), to: view.text.lineStart(last + 1) }
    },
    scrollTo: ({ from, to }) => lineLinks.scrollToRange(from, to),
  })

  let updateRequested = false
  /** Updates what depends on the visible lines, once per frame. */
  const requestUpdate = () => {
    if (updateRequested) return
    updateRequested = true
    requestAnimationFrame(() => {
      updateRequested = false
      placeWrappedLineNumbers(section, view.text)
      view.painter?.paint()
      find.findBar()?.highlightVisible()
    })
  }
  const onResize = () => {
    lineLinks.updateMarks()
    requestUpdate()
  }
  const show = (next: View) => {
    view.painter?.clear()
    view = next
    lineLinks.setText(view.text)
    find.findBar()?.searchAgain()
    requestUpdate()
  }
  addEventListener('scroll', requestUpdate, { passive: true })
  new ResizeObserver(onResize).observe(section)

  startWrap(section, (change) => {
    lineLinks.keepPosition(change)
    requestUpdate()
  })
  startDuplicate(section, code)
  startDownload(code)
  startGoToLine(lineLinks, source.text.lines)
  numberLinesForPrint(section, code)
  refreshRelativeTimes()

  const { highlightWorker = '', language = '' } = section.dataset
  if (!supportsHighlights()) return
  if (hasAnsiStyles(code.textContent ?? '')) {
    startTerminalView(highlightWorker, code, (terminal) => show(terminal ?? source))
  }
  highlightCode(highlightWorker, language, source.text, ({ tokens, end, last }) => {
    source.painter?.clear()
    source.painter = new Painter(source.text, tokens, CODE_STYLES)
    if (last) showHighlightLimits(source.text, end)
    requestUpdate()
  })
}

/** Starts on the page's text, if there is one. */
function start(): void {
  const section = document.querySelector<HTMLElement>('section.text')
  const code = section?.querySelector('code')
  if (section && code) startViewer(section, code)
}

start()
// The text of an encrypted document arrives only once it is decrypted.
document.addEventListener('regent:document', start)
