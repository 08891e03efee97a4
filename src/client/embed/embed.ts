import { PLAIN_TEXT } from '../../shared/display.ts'
import { hasEscapeSequences } from '../../shared/escape-sequences.ts'
import { loadLanguage } from '../highlight/language-file.ts'
import type { CodeTasks } from '../highlight/tokens.ts'
import { supportsHighlights } from '../shared/elements.ts'
import { createWorkerClient } from '../shared/workers.ts'
// Colours a document in a frame of another site, or renders its Markdown. Without it, the source is readable.
import { DisplayedText } from '../text/displayed-text.ts'
import { startDocumentLanguage } from '../viewer/document-language.ts'

/** Tells the height like Embedly and others. Most pages around the frame don't listen. */
function reportHeight(): void {
  const parts = [...document.body.children].map((part) =>
    part.matches('.embed-body') ? part.scrollHeight : part.getBoundingClientRect().height,
  )
  const height = Math.ceil(parts.reduce((sum, part) => sum + part, 0)) + 2
  parent.postMessage(JSON.stringify({ src: location.href, context: 'iframe.resize', height }), '*')
}

/** A frame has none of the tools that a view could use. */
const VIEW_CONTEXT = {
  announce: () => {},
  goTo: () => null,
  keepPosition: () => {},
  requestUpdate: reportHeight,
  onTextChange: () => {},
  forbidsFrames: true,
}

/** Paints what is visible. Returns what ends that. */
function paintVisible(section: HTMLElement, paint: () => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  paint()
  section.parentElement?.addEventListener('scroll', paint, { passive: true, signal })
  addEventListener('resize', paint, { signal })
  return () => listening.abort()
}

async function highlight(section: HTMLElement, text: DisplayedText, language: string): Promise<() => void> {
  const file = await loadLanguage(language)
  if (!file) return () => {}
  const { highlightWorker = '' } = section.dataset
  const paint = () => highlighting.paint()
  const highlighting = file.startHighlighting({
    text,
    onTokens: paint,
    language,
    worker: createWorkerClient<CodeTasks>(highlightWorker),
  })
  const stopPainting = paintVisible(section, paint)
  return () => {
    stopPainting()
    highlighting.stop()
  }
}

async function showTerminal(section: HTMLElement, text: DisplayedText): Promise<void> {
  const { openTerminal } = await import('../viewer/views/terminal-view.ts')
  const mount = await openTerminal({ ...VIEW_CONTEXT, section, text, language: PLAIN_TEXT }).finally(
    () => delete section.dataset.startsRendered,
  )
  const { paint } = mount()
  if (paint) paintVisible(section, paint)
  reportHeight()
}

async function render(section: HTMLElement, text: DisplayedText): Promise<void> {
  const { openMarkdown } = await import('../markdown/markdown-view.ts')
  // Links to headings stay in the frame, where all others open a new tab.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null
    if (link) link.target = '_self'
  })
  const mount = await openMarkdown({ ...VIEW_CONTEXT, section, text, language: 'markdown' }).finally(
    () => delete section.dataset.startsRendered,
  )
  mount()
  reportHeight()
}

async function start(section: HTMLElement, code: HTMLElement): Promise<void> {
  reportHeight()
  const text = new DisplayedText(code)
  // Only a warning of hidden characters is one.
  if (document.querySelector('.banner')) (await import('../viewer/extras.ts')).markHiddenCharacters(text)
  if (section.dataset.startsRendered !== undefined) {
    const isTerminal = hasEscapeSequences(code.textContent ?? '')
    if (isTerminal && !supportsHighlights()) {
      delete section.dataset.startsRendered
      return
    }
    void (isTerminal ? showTerminal(section, text) : render(section, text)).catch(console.error)
    return
  }
  let stop = Promise.resolve(() => {})
  startDocumentLanguage({
    section,
    text,
    onChange: (language) => {
      stop = stop.then((stopPrevious) => {
        stopPrevious()
        return language === PLAIN_TEXT || !supportsHighlights()
          ? () => {}
          : highlight(section, text, language)
      })
    },
  })
}

const section = document.querySelector<HTMLElement>('section.text')
const code = section?.querySelector('code')
if (section && code) void start(section, code).catch(console.error)
