import type { HighlightTasks } from '../highlight/highlight-worker.ts'
import { createElement, loadStyles } from '../shared/elements.ts'
import { createWorkerClient } from '../shared/workers.ts'
import { DisplayedText } from '../text/displayed-text.ts'
import type { OpenView, ViewContext } from '../viewer/views/views.ts'
import { createMarkdownPart, isLongMarkdown, startCopyingCode } from './markdown-part.ts'
import { createOutline } from './outline.ts'
import type { MarkdownPart } from './parse/render-markdown.ts'

/** @throws Error if they can't be loaded. */
export async function loadMarkdownStyles(address: string): Promise<void> {
  if (!(await loadStyles(address))) throw new Error('The styles of rendered Markdown couldn’t be loaded.')
}

/** One part may take so long. Hostile texts would take minutes. */
const MAX_WORK_MS = 30_000

/** Renders in a worker. @param workerAddress of the highlight worker, which renders Markdown too. */
export function createMarkdownRenderer(workerAddress: string) {
  const { ask, stop } = createWorkerClient<HighlightTasks>(workerAddress)
  return {
    /** Stops the worker. Rendering another text starts a new one. */
    stop,
    /**
     * Calls `onPart` with each part of the HTML, which isn't sanitized. The caller waits for the end of one text before
     * it starts the next.
     *
     * @throws Error if the text can't be rendered, or takes too long.
     */
    render: async (text: string, onPart: (part: MarkdownPart) => void, partLength?: number) => {
      let timer = setTimeout(stop, MAX_WORK_MS)
      const restart = (part: MarkdownPart) => {
        clearTimeout(timer)
        timer = setTimeout(stop, MAX_WORK_MS)
        onPart(part)
      }
      try {
        await ask('renderMarkdown', { text, partLength }, restart)
      } catch {
        stop()
        throw new Error('This Markdown couldn’t be rendered.')
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** The prefix that DOMPurify puts before each id of the author. */
const ID_PREFIX = 'user-content-'

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Returns the likeliest first. As on GitHub, the case doesn't matter: the ids of headings are in lower case. */
export function getTargetIds(hash: string): string[] {
  const fragment = decode(hash.slice(1))
  const name = fragment.startsWith(ID_PREFIX) ? fragment.slice(ID_PREFIX.length) : fragment
  if (name === '') return []
  return [...new Set([name, name.toLowerCase()])].map((id) => ID_PREFIX + id)
}

export function findTarget(within: HTMLElement, hash: string): HTMLElement | null {
  for (const id of getTargetIds(hash)) {
    const found = within.ownerDocument.getElementById(id)
    if (found && within.contains(found)) return found
  }
  return null
}

function openDetailsAround(node: Node | null): void {
  for (let element = node?.parentElement; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true
  }
}

/** The keyboard goes on from there, as for a link in a browser. */
export function goToTarget(target: HTMLElement): void {
  openDetailsAround(target)
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus({ preventScroll: true })
  target.scrollIntoView()
}

/**
 * The ids of headings and footnotes start with a prefix that addresses don't have. Returns what follows the address once
 * the article has its target.
 */
function startFragmentLinks(article: HTMLElement): () => void {
  let isFollowed = false
  const follow = () => {
    const isShown = article.isConnected && !article.hidden
    const target = isShown && !isFollowed ? findTarget(article, location.hash) : null
    if (!target) return
    isFollowed = true
    goToTarget(target)
  }
  const followNew = () => {
    isFollowed = false
    follow()
  }
  addEventListener('hashchange', followNew)
  // A link to the current fragment doesn't trigger `hashchange`.
  article.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest('a[href^="#"]')
    if (link && link.getAttribute('href') === location.hash) followNew()
  })
  return follow
}

class RenderedText extends DisplayedText {
  /** Line breaks are spaces, as on the page: they don't end a match. */
  override slice(from: number, to: number): string {
    return super.slice(from, to).replaceAll('\n', ' ')
  }

  /** Spans the parts that are in the window. */
  override visibleRange(): { from: number; to: number } {
    const [[first], [, last]] = [this.linesAround(0), this.linesAround(innerHeight)]
    return { from: this.lineStart(first), to: this.lineStart(last + 1) }
  }
}

/** Draws diagrams. If its code can't be loaded, the page still shows their source. */
export async function drawDiagrams(part: HTMLElement): Promise<void> {
  if (!part.querySelector('.md-mermaid')) return
  try {
    const { drawWhenSeen } = await import('../diagrams/diagrams.ts')
    drawWhenSeen(part)
  } catch (error) {
    console.error(error)
  }
}

/** Returns true if the part is only a diagram and shows the next one in its place. */
export async function replaceDiagram(part: HTMLElement, createNext: () => HTMLElement): Promise<boolean> {
  if (!part.querySelector('.md-drawn')) return false
  return (await import('../diagrams/diagrams.ts')).redrawPart(part, createNext())
}

/** Resolves when the article has the first part. It grows until all are rendered. */
async function renderInto(
  article: HTMLElement,
  { section, text: source, announce, forbidsFrames }: ViewContext,
  onPart: (part: HTMLElement) => void,
): Promise<void> {
  const text = source.element.textContent ?? ''
  let nodes = 0
  // In the address of a decrypted document, any other fragment would be a password.
  const fragmentStart = section.dataset.decrypted === 'true' ? '#user-content-' : '#'
  const ids = new Set<string>()
  const first = Promise.withResolvers<void>()
  const renderer = createMarkdownRenderer(section.dataset.highlightWorker ?? '')
  const addPart = (part: MarkdownPart) => {
    nodes += part.nodes
    article.classList.toggle('md-long', isLongMarkdown(text, nodes))
    const element = createMarkdownPart(part, { ids, fragmentStart })
    article.append(element)
    if (!forbidsFrames) void drawDiagrams(element)
    first.resolve()
    onPart(element)
  }
  renderer
    .render(text, addPart)
    .finally(renderer.stop)
    .then(first.resolve, (error: Error) => {
      first.reject(error)
      // The parts that are rendered stay.
      if (article.isConnected) announce(error.message)
    })
  await first.promise
}

/** A text that starts with its title as a heading needs no other title. Returns what shows it again. */
function hideRepeatedTitle(article: HTMLElement): () => void {
  const title = document.querySelector('.document-header h1')
  const first = article.querySelector('.md-part > :not(.md-scroller)')
  const isRepeated = first?.matches('h2, h3, h4, h5, h6') && first.textContent === title?.textContent
  title?.classList.toggle('visually-hidden', isRepeated || title.matches('.visually-hidden'))
  return () => title?.classList.remove('visually-hidden')
}

/** Opens the view of rendered Markdown, and that of a document that is one diagram. */
export const openMarkdown: OpenView = async (context) => {
  const { section, announce, requestUpdate } = context
  if (context.language === 'mermaid')
    return (await import('../diagrams/diagram-view.ts')).openDiagram(context)
  const article = createElement('article', { className: 'rendered' })
  const followAddress = startFragmentLinks(article)
  const outline = createOutline(article, goToTarget)
  let text: RenderedText | null = null
  const onPart = (part: HTMLElement) => {
    outline.addPart(part)
    text = null
    followAddress()
    requestUpdate()
  }
  const styles = loadMarkdownStyles(section.dataset.markdownStyles ?? '').catch(console.error)
  await Promise.all([renderInto(article, context, onPart), styles])
  startCopyingCode(article, announce)
  return () => {
    section.hidden = true
    article.hidden = false
    if (!article.isConnected) section.after(article)
    followAddress()
    const showTitle = hideRepeatedTitle(article)
    outline.show()
    return {
      hasSourceLines: false,
      get text() {
        text ??= new RenderedText(article)
        return text
      },
      unmount: () => {
        article.hidden = true
        outline.hide()
        section.hidden = false
        showTitle()
      },
    }
  }
}
