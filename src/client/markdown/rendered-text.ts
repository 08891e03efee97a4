import { DisplayedText } from '../text/displayed-text.ts'
import type { FindTarget } from '../viewer/find-bar.ts'
import { openDetailsAround } from './fragments.ts'

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
