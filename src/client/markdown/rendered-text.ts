import type { HighlightAnswer, MarkdownAnswer, MarkdownTask } from '../highlight/highlight-client.ts'
import { loadStyles } from '../shared/elements.ts'
import { startWorker } from '../shared/start-worker.ts'
import { DisplayedText } from '../text/displayed-text.ts'
import type { FindTarget } from '../viewer/find-bar.ts'

/** @throws Error if they can't be loaded. */
export async function loadMarkdownStyles(address: string): Promise<void> {
  if (!(await loadStyles(address))) throw new Error('The styles of rendered Markdown couldn’t be loaded.')
}

/** For one part. Hostile texts would take minutes. */
const MAX_WORK_MS = 30_000

const RENDER_ERROR = 'This Markdown couldn’t be rendered.'

interface MarkdownRenderer {
  /**
   * Calls `onPart` with each part of the HTML, which isn't sanitized. The caller waits for the end of one text before
   * it starts the next.
   *
   * @throws Error if the text can't be rendered, or takes too long.
   */
  readonly render: (
    text: string,
    onPart: (part: MarkdownAnswer) => void,
    partLength?: number,
  ) => Promise<void>
  /** Rendering another text starts a new worker. */
  readonly stop: () => void
}

/** Renders in a worker. @param workerAddress of the highlight worker, which renders Markdown too. */
export function createMarkdownRenderer(workerAddress: string): MarkdownRenderer {
  let worker: Worker | null = null
  let cancel: (() => void) | null = null
  const stop = () => {
    worker?.terminate()
    worker = null
    cancel?.()
  }
  return {
    stop,
    render: async (text, onPart, partLength) => {
      worker ??= startWorker(workerAddress)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const fail = () => stop()
      cancel = () => reject(new Error(RENDER_ERROR))
      let timer = setTimeout(fail, MAX_WORK_MS)
      worker.onerror = fail
      worker.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
        if (!('html' in data)) return fail()
        clearTimeout(timer)
        if (data.last) return resolve()
        timer = setTimeout(fail, MAX_WORK_MS)
        onPart(data)
      }
      worker.postMessage({ do: 'render-markdown', text, partLength } satisfies MarkdownTask)
      await promise.finally(() => {
        clearTimeout(timer)
        cancel = null
      })
    },
  }
}

interface Part {
  readonly html: string
}

interface ReplacedParts<Added> {
  readonly start: number
  readonly end: number
  readonly added: readonly Added[]
}

/** A change usually changes one part. */
export function getReplacedParts<Added extends Part>(
  before: readonly Part[],
  after: readonly Added[],
): ReplacedParts<Added> {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start]?.html === after[start]?.html) start += 1
  let same = 0
  while (same < shorter - start && before.at(-1 - same)?.html === after.at(-1 - same)?.html) same += 1
  return { start, end: before.length - same, added: after.slice(start, after.length - same) }
}

/** What DOMPurify puts before each id of the author. */
const ID_PREFIX = 'user-content-'

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** The likeliest first. As on GitHub, the case doesn't matter: the ids of headings are in lower case. */
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

/** The ids of headings and footnotes start with a prefix that addresses don't have. */
export function startFragmentLinks(article: HTMLElement): void {
  const follow = () => {
    const target = article.hidden || !article.isConnected ? null : findTarget(article, location.hash)
    if (target) goToTarget(target)
  }
  addEventListener('hashchange', follow)
  // A link to the current fragment doesn't trigger `hashchange`.
  article.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest('a[href^="#"]')
    if (link && link.getAttribute('href') === location.hash) follow()
  })
}

/** The height of the window that the toolbar may cover, and where a match is scrolled to, as shares of its height. */
const TOOLBAR_SHARE = 0.15
const SCROLL_SHARE = 0.3

export class RenderedText extends DisplayedText {
  /** The parts, and where the text of each starts. */
  readonly #blocks: readonly Element[]
  readonly #starts: readonly number[]

  constructor(article: HTMLElement) {
    super(article)
    this.#blocks = [...article.children]
    const starts: number[] = []
    let offset = 0
    for (const node of article.childNodes) {
      if (node instanceof Element) starts.push(offset)
      offset += node.textContent?.length ?? 0
    }
    this.#starts = starts
  }

  /** Line breaks are spaces, as on the page: they don't end a match. */
  override slice(from: number, to: number): string {
    return super.slice(from, to).replaceAll('\n', ' ')
  }

  getVisibleRange(): { from: number; to: number } {
    const first = this.#findBlock((block) => block.getBoundingClientRect().bottom > 0)
    const last = this.#findBlock((block) => block.getBoundingClientRect().top > innerHeight)
    return { from: this.#starts[first] ?? this.length, to: this.#starts[last] ?? this.length }
  }

  scrollToMatch(from: number, to: number): void {
    const { startContainer } = this.staticRange(from, to)
    openDetailsAround(startContainer)
    const scroller = startContainer.parentElement?.closest<HTMLElement>('pre, .md-scroller')
    const getRect = () => this.rect(from, to) ?? this.element.getBoundingClientRect()
    if (scroller) {
      const edges = scroller.getBoundingClientRect()
      const { left, right } = getRect()
      if (left < edges.left || right > edges.right) {
        scroller.scrollLeft += left - (edges.left + edges.right) / 2
      }
    }
    const { top, bottom } = getRect()
    if (top < innerHeight * TOOLBAR_SHARE || bottom > innerHeight) {
      scrollBy({ top: top - innerHeight * SCROLL_SHARE, behavior: 'instant' })
    }
  }

  /** All later blocks must meet the condition, too. */
  #findBlock(condition: (block: Element) => boolean): number {
    let [low, high] = [0, this.#blocks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const block = this.#blocks[middle]
      if (block && condition(block)) high = middle
      else low = middle + 1
    }
    return low
  }
}

export const getFindTarget = (
  getText: () => RenderedText,
): Pick<FindTarget, 'visibleRange' | 'scrollTo'> => ({
  visibleRange: () => getText().getVisibleRange(),
  scrollTo: ({ from, to }) => getText().scrollToMatch(from, to),
})
