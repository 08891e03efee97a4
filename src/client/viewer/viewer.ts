import {
  type Display,
  formatDisplayCookie,
  getDisplayClasses,
  parseDisplayCookie,
} from '../../shared/display.ts'
import { DAY_SECONDS } from '../../shared/instant.ts'
import { requireElement, supportsHighlights } from '../shared/elements.ts'
import { DisplayedText, getLineLayout } from '../text/displayed-text.ts'
import { PLAIN_TEXT, startDocumentLanguage } from './document-language.ts'
import type { DiffLines } from './highlighting/diff-lines.ts'
import type { Highlighting } from './highlighting/highlighting.ts'
import { placeWrappedLineNumbers, startLineLinks } from './lines.ts'
import { announceInToolbar, loadExtraStyles, startFind, startShortcuts, startToolbar } from './toolbar.ts'
import { startViewSwitch } from './views/views.ts'

const YEAR_SECONDS = 365 * DAY_SECONDS

const readDisplay = (): Display => parseDisplayCookie(document.cookie)

/** In a cookie, so that the server can render pages this way. */
function storeDisplay(display: Display): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const value = formatDisplayCookie(display)
  const maxAge = value === '' ? 0 : YEAR_SECONDS
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and only exists on HTTPS.
  document.cookie = `display=${value}; Max-Age=${maxAge}; Path=/; SameSite=Lax${secure}`
}

function applyDisplay(section: HTMLElement, display: Display): void {
  for (const name of [...section.classList]) {
    if (name === 'wrapped' || name.startsWith('size-')) section.classList.remove(name)
  }
  section.classList.add(...getDisplayClasses(display))
}

const LATER_MS = 2_000

/** Reading may have deleted the document: then there is nothing to watch. */
async function startUpdates({ document: id, version }: DOMStringMap): Promise<void> {
  const [{ refreshRelativeTimes }, { watchDocument }] = await Promise.all([
    import('./extras.ts'),
    import('../together/newer-versions.ts'),
  ])
  refreshRelativeTimes()
  if (id !== undefined && version !== undefined) watchDocument(id, version)
}

function startViewer(section: HTMLElement, code: HTMLElement): void {
  const { highlightWorker = '' } = section.dataset
  const source = new DisplayedText(code)
  let highlighting: Highlighting | null = null
  let diffLines: DiffLines | null = null
  const views = startViewSwitch({
    group: requireElement('#views'),
    getContext: () => ({
      language: language.current(),
      text: source,
      section,
      code,
      workerAddress: highlightWorker,
      announce: announceInToolbar,
      requestUpdate,
      onTextChange: showText,
    }),
    onChange: () => {
      highlighting?.clear()
      endWaiting()
      showText()
      void highlightSource()
    },
  })
  /** Displays the source, which the styles hide while the viewer prepares rendered Markdown. */
  const endWaiting = () => delete section.dataset.startsRendered
  function showText() {
    lineLinks.setText(getLineText())
    find.findBar()?.searchAgain()
    requestUpdate()
  }
  const getLineText = () => {
    const mounted = views.mounted()
    return (mounted?.hasSourceLines && mounted.text) || source
  }
  const lineLinks = startLineLinks(section, source, (lines) => {
    const mounted = views.mounted()
    if (mounted?.hasSourceLines === false) views.showSource()
    else if (lines) mounted?.reveal?.(lines)
  })

  const find = startFind({
    text: () => views.mounted()?.text ?? source,
    revealMatches: async (query) => views.mounted()?.revealMatches?.(query),
    visibleRange: () => {
      const mounted = views.mounted()
      if (mounted?.find) return mounted.find.visibleRange()
      const text = getLineText()
      const layout = getLineLayout(text)
      const [first, last] = [layout.lineAt(0), layout.lineAt(innerHeight)]
      return { from: text.lineStart(first), to: text.lineStart(last + 1) }
    },
    scrollTo: (match) => {
      const mounted = views.mounted()
      if (mounted?.find) mounted.find.scrollTo(match)
      else lineLinks.scrollToRange(match.from, match.to)
    },
  })

  let updateRequested = false
  function requestUpdate() {
    if (updateRequested) return
    updateRequested = true
    requestAnimationFrame(() => {
      updateRequested = false
      const mounted = views.mounted()
      if (mounted) mounted.paint?.()
      else highlighting?.paint()
      if (!mounted) diffLines?.paint()
      // Measuring a source that waits would lay it out.
      if ((mounted?.hasSourceLines ?? true) && section.checkVisibility({ visibilityProperty: true }))
        placeWrappedLineNumbers(section, getLineText())
      find.findBar()?.highlightVisible()
    })
  }
  addEventListener('scroll', requestUpdate, { passive: true })
  new ResizeObserver(() => {
    lineLinks.updateMarks()
    requestUpdate()
  }).observe(section)

  const setDisplay = (display: Display) => {
    storeDisplay(display)
    lineLinks.keepPosition(() => applyDisplay(section, display))
    const button = document.querySelector('[data-tool="wrap"]')
    if (button) button.ariaPressed = String(display.wrapped)
    requestUpdate()
  }
  const toggleWrap = () => {
    const display = readDisplay()
    setDisplay({ ...display, wrapped: !section.classList.contains('wrapped') })
  }

  let highlights = 0
  /** For the source, once it's displayed; null if nothing is left to highlight. */
  let nextColours: string | null = null
  const setLanguage = (language: string) => {
    highlights++
    nextColours = language === PLAIN_TEXT ? null : language
    highlighting?.stop()
    highlighting = null
    document.querySelector('#highlight-limits')?.remove()
    diffLines?.clear()
    diffLines = null
    views.setViews({ language, text: source })
    if (language !== PLAIN_TEXT) void loadExtraStyles()
    if (views.isSource()) endWaiting()
    void highlightSource()
  }
  async function highlightSource() {
    const language = nextColours
    if (language === null || !views.isSource()) return
    nextColours = null
    const number = highlights
    const [{ startHighlighting }, diff] = await Promise.all([
      import('./highlighting/highlighting.ts'),
      language === 'diff' ? import('./highlighting/diff-lines.ts') : null,
    ])
    if (number !== highlights) return
    if (supportsHighlights()) {
      highlighting = startHighlighting({
        workerAddress: highlightWorker,
        language,
        text: source,
        onTokens: requestUpdate,
      })
    }
    diffLines = diff && new diff.DiffLines(source)
    requestUpdate()
  }
  const language = startDocumentLanguage({ section, text: source, onChange: setLanguage })

  const { goToLine } = startToolbar({
    code,
    getLanguage: language.current,
    tools: { wrap: toggleWrap, find: find.open },
    goTo: lineLinks.goTo,
    getLastLine: () => source.lastNumber,
  })
  document.querySelector('#display')?.addEventListener('beforetoggle', async (event) => {
    const controls = document.querySelector<HTMLElement>('#display-controls')
    if (!controls || (event as ToggleEvent).newState !== 'open') return
    const { fillDisplayMenu } = await import('./menus.ts')
    fillDisplayMenu(controls, { language, getDisplay: readDisplay, setDisplay })
  })
  startShortcuts({ '/': find.open, g: goToLine, w: toggleWrap })
  let used = false
  const startWhenUsed = async () => {
    if (used) return
    used = true
    const { startSelectAndPrint } = await import('./extras.ts')
    startSelectAndPrint(section, getLineText)
  }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, startWhenUsed, { once: true })
  setTimeout(() => {
    void startWhenUsed()
    void startUpdates(section.dataset).catch(console.error)
  }, LATER_MS)
}

function start(): void {
  const section = document.querySelector<HTMLElement>('section.text')
  const code = section?.querySelector('code')
  if (section && code) startViewer(section, code)
}

start()
// The text of an encrypted document arrives only once it is decrypted.
document.addEventListener('regent:document', start)
