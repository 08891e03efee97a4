import { DisplayedText } from '../text/displayed-text.ts'
import type { FindTarget } from '../viewer/find/find-bar.ts'
import { openDetailsAround } from './fragments.ts'

/** The height of the window that the toolbar may cover, and where a match is scrolled to, as shares of its height. */
const TOOLBAR_SHARE = 0.15
const SCROLL_SHARE = 0.3

/** The text of rendered Markdown, for Find. */
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

  /** Returns a part of the text, in which line breaks are spaces as on the page: they don't end a match. */
  override slice(from: number, to: number): string {
    return super.slice(from, to).replaceAll('\n', ' ')
  }

  /** Returns the first and the last offset of the parts that are visible. */
  getVisibleRange(): { from: number; to: number } {
    const first = this.#findBlock((block) => block.getBoundingClientRect().bottom > 0)
    const last = this.#findBlock((block) => block.getBoundingClientRect().top > innerHeight)
    return { from: this.#starts[first] ?? this.length, to: this.#starts[last] ?? this.length }
  }

  /** Scrolls a match into view, unless it is visible. */
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

  /** Returns the index of the first block that meets a condition, which all later blocks meet too. */
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

/** Returns how Find works on rendered Markdown. */
export const getFindTarget = (
  getText: () => RenderedText,
): Pick<FindTarget, 'visibleRange' | 'scrollTo'> => ({
  visibleRange: () => getText().getVisibleRange(),
  scrollTo: ({ from, to }) => getText().scrollToMatch(from, to),
})
