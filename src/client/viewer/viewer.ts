import { PLAIN_TEXT } from '../../shared/display.ts'
import { loadLanguage } from '../highlight/language-file.ts'
import type { CodeTasks } from '../highlight/tokens.ts'
import { requireElement, supportsHighlights } from '../shared/elements.ts'
import { startShortcuts } from '../shared/shortcuts.ts'
import { createWorkerClient } from '../shared/workers.ts'
import { DisplayedText, wrapIfNeeded } from '../text/displayed-text.ts'
import { startDocumentLanguage } from './document-language.ts'
import type { DiffLines } from './highlighting/diff-lines.ts'
import type { Highlighting } from './highlighting/highlighting.ts'
import { startLineLinks } from './lines.ts'
import { announceInToolbar, loadExtraStyles, startFind, startToolbar } from './toolbar.ts'
import { startViewSwitch } from './views/views.ts'

const LATER_MS = 2_000

/** The script that makes links doesn't wait if there is an address in these UTF-16 units. */
const FIRST_SCREENS = 16 * 1024
const ADDRESS = /:\/\/|mailto:/

const isReceiving = () => document.readyState === 'loading'

function startViewer(section: HTMLElement, code: HTMLElement): void {
  const { highlightWorker = '' } = section.dataset
  const source = new DisplayedText(code, isReceiving())
  wrapIfNeeded(section, source.longestLine)
  // The page warns of hidden characters.
  const hasHidden = document.querySelector('.banner a') !== null
  const received = source.grows ? receiveRest() : completeNumbers(section)
  let highlighting: Omit<Highlighting, 'worker'> | null = null
  let diffLines: DiffLines | null = null
  const views = startViewSwitch({
    group: requireElement('#views'),
    getContext: () => ({
      language: language.current(),
      text: source,
      section,
      announce: announceInToolbar,
      ...lineLinks,
      requestUpdate,
      onTextChange: showText,
    }),
    onChange: () => {
      highlighting?.clear()
      removeWaitingBar()
      const wasHidden = !isVisible()
      endWaiting()
      // The browser lays out the view in the next frame. Colouring it in the same one would take too long.
      updateRequested = true
      requestAnimationFrame(() => {
        updateRequested = false
        requestUpdate()
      })
      showText()
      // The page was too short to scroll to its lines.
      if (wasHidden && views.mounted()?.hasSourceLines) lineLinks.followFragment()
      void highlightSource()
    },
  })
  /** Displays the source, which the styles hide while the viewer prepares rendered Markdown. */
  const endWaiting = () => delete section.dataset.startsRendered
  const isVisible = () => section.checkVisibility({ visibilityProperty: true })
  function showText() {
    lineLinks.setText(getLineText())
    find.findBar()?.searchAgain()
    requestUpdate()
  }
  const getShownText = () => views.mounted()?.text ?? source
  const getLineText = () => {
    const mounted = views.mounted()
    return (mounted?.hasSourceLines && mounted.text) || source
  }
  const lineLinks = startLineLinks(section, source, (lines) => {
    const mounted = views.mounted()
    if (mounted?.hasSourceLines === false) views.showSource()
    else mounted?.reveal?.(lines)
  })

  const find = startFind({
    text: getShownText,
    revealMatches: async (query) => views.mounted()?.revealMatches?.(query),
    showText: () => {
      if (!views.mounted()?.text) views.showSource()
    },
    ...lineLinks,
  })

  let extras: typeof import('./extras.ts') | null = null
  let updateRequested = false
  function requestUpdate() {
    if (updateRequested) return
    updateRequested = true
    requestAnimationFrame(() => {
      updateRequested = false
      if (source.grows) source.grow(true)
      const mounted = views.mounted()
      // Measuring a source that waits would lay it out.
      const showsLines = (mounted?.hasSourceLines ?? true) && isVisible()
      // Before what is painted into the text, which this splits.
      if (showsLines && !source.grows && extras?.markVisible(getLineText(), hasHidden)) requestUpdate()
      if (mounted) mounted.paint?.()
      else highlighting?.paint()
      if (!mounted) diffLines?.paint()
      const hasNumbers = mounted ? mounted.numbersLines : diffLines?.isNumbered
      if (showsLines && !hasNumbers) extras?.numberWrappedLines(getLineText())
      find.findBar()?.highlightVisible()
    })
  }
  // Long lines scroll in their section, whose events don't bubble.
  addEventListener('scroll', requestUpdate, { passive: true, capture: true })
  new ResizeObserver(() => {
    lineLinks.updateMarks()
    requestUpdate()
  }).observe(section)

  const loadDisplay = async () =>
    (await import('./extras.ts')).createDisplay(section, {
      getText: getLineText,
      keepPosition: lineLinks.keepPosition,
      onChange: requestUpdate,
    })
  const toggleWrap = async () => (await loadDisplay()).toggleWrap()

  let highlights = 0
  /** The language of the source, which is coloured once it's displayed; null if nothing is left to highlight. */
  let nextColours: string | null = null
  const setViews = (language: string) => {
    views.setViews({ language, text: source })
    if (views.isSource()) removeWaitingBar()
  }
  /** Colours the lines near the window until all of the log is read. */
  async function colourLog(number: number) {
    const { createLogColours } = await import('../logs/log-view.ts')
    if (number !== highlights || views.mounted() || (views.isSource() && !source.grows)) return
    highlighting = createLogColours(source)
    requestUpdate()
  }
  const setLanguage = (language: string) => {
    highlights++
    nextColours = language === PLAIN_TEXT ? null : language
    highlighting?.stop()
    highlighting = null
    document.querySelector('#highlight-limits')?.remove()
    diffLines?.clear()
    diffLines = null
    if (!source.grows) setViews(language)
    if (language !== PLAIN_TEXT) void loadExtraStyles()
    if (views.isSource()) endWaiting()
    if (language === 'log') void colourLog(highlights)
    else void highlightSource()
  }
  async function highlightSource() {
    const language = nextColours
    if (language === null || !views.isSource()) return
    nextColours = null
    const number = highlights
    // A diff is numbered as a whole.
    if (language === 'diff') await received
    const [file, diff] = await Promise.all([
      supportsHighlights() ? loadLanguage(language) : null,
      language === 'diff' ? import('./highlighting/diff-lines.ts') : null,
    ])
    if (number !== highlights) return
    highlighting =
      file?.startHighlighting({
        text: source,
        onTokens: requestUpdate,
        language,
        received,
        worker: createWorkerClient<CodeTasks>(highlightWorker),
      }) ?? null
    diffLines = diff?.createDiffLines(source, requestUpdate) ?? null
    requestUpdate()
  }
  const language = startDocumentLanguage({ section, text: source, received, onChange: setLanguage })

  const { goToLine } = startToolbar({
    code,
    receiving: () => (source.grows ? received : null),
    getLanguage: language.current,
    tools: { wrap: toggleWrap, find: find.open },
    goTo: lineLinks.goTo,
    getLastLine: () => source.lastNumber,
  })
  document.querySelector('#display')?.addEventListener('beforetoggle', async (event) => {
    const controls = document.querySelector<HTMLElement>('#display-controls')
    if (!controls || (event as ToggleEvent).newState !== 'open') return
    const [{ fillDisplayMenu }, display] = await Promise.all([import('./menus.ts'), loadDisplay()])
    fillDisplayMenu(controls, { language, ...display })
  })
  startShortcuts({ '/': find.open, g: goToLine, w: toggleWrap })
  async function receiveRest() {
    // Not in the task of the browser that has read the last of the text.
    await new Promise((resolve) =>
      document.addEventListener('DOMContentLoaded', () => setTimeout(resolve), { once: true }),
    )
    source.grow(false)
    void completeNumbers(section)
    setViews(language.current())
    lineLinks.followAddress()
    showText()
  }
  let loading: Promise<void> | undefined
  let lastKey: KeyboardEvent | null = null
  let lastClick: MouseEvent | null = null
  const startWhenUsed = (event?: Event) => {
    if (event instanceof KeyboardEvent) lastKey = event
    if (event?.type === 'click' && event instanceof MouseEvent) lastClick = event
    loading ??= startExtras()
    return loading
  }
  const startExtras = async () => {
    extras = await import('./extras.ts')
    const { onKeydown, onClick } = extras.startSelectAndPrint({
      section,
      getText: getLineText,
      source,
      getView: views.mounted,
      say: announceInToolbar,
    })
    // Ctrl loads this, and A may come before it's there. So may the third click.
    if (lastKey) onKeydown(lastKey)
    if (lastClick) onClick(lastClick)
    requestUpdate()
  }
  for (const type of ['pointerdown', 'click', 'keydown']) addEventListener(type, startWhenUsed)
  if (section.classList.contains('wrapped') || hasHidden || ADDRESS.test(source.slice(0, FIRST_SCREENS)))
    void startWhenUsed()
  setTimeout(async () => {
    await startWhenUsed()
    extras?.startUpdates(section.dataset)
  }, LATER_MS)
}

/** The place of the bar of a log, which is read before the bar is there. */
const removeWaitingBar = () => document.querySelector('.log-waiting')?.remove()

/** Long texts come before their numbers, of which only the first come before the text. */
async function completeNumbers(section: HTMLElement): Promise<void> {
  const [first, all] = section.querySelectorAll('.numbers')
  if (!first || !all) return
  first.replaceChildren(...all.childNodes)
  all.remove()
}

/** Returns false if there is no text yet. The first screens of a long text are enough: the rest may still be arriving. */
function start(): boolean {
  const section = document.querySelector<HTMLElement>('section.text')
  const code = section?.querySelector('code')
  if (!section || !code || (isReceiving() && !code.querySelector('.chunk + .chunk'))) return false
  startViewer(section, code)
  return true
}

function startWhenReady(): void {
  const wasReceiving = isReceiving()
  // Beside the frame, so that the page can respond between laying out its text and starting its tools.
  if (!start() && wasReceiving) requestAnimationFrame(() => setTimeout(startWhenReady))
}

startWhenReady()
// The text of an encrypted document arrives only once it is decrypted.
document.addEventListener('regent:document', start)
