import { findLastAtMost } from './binary-search.ts'
import { TextIndex } from './text-index.ts'

/** A text in the page, which may consist of several text nodes. */
export class DisplayedText extends TextIndex {
  readonly element: HTMLElement
  readonly #nodes: readonly Text[]
  /** The chunks, and the number of line breaks before each. Empty if the text isn't split into chunks. */
  readonly #chunks: readonly HTMLElement[]
  readonly #chunkBreaks: readonly number[]
  #forcedChunks: readonly HTMLElement[] = []

  constructor(element: HTMLElement) {
    const nodes: Text[] = []
    const chunks: HTMLElement[] = []
    const firstNodes: number[] = []
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
      const chunk = node.parentElement?.closest<HTMLElement>('.chunk')
      if (chunk && chunk !== chunks.at(-1)) {
        chunks.push(chunk)
        firstNodes.push(nodes.length)
      }
      nodes.push(node)
    }
    super(nodes)
    this.element = element
    this.#nodes = nodes
    this.#chunks = chunks
    this.#chunkBreaks = firstNodes.map((node) => this.breaksBefore(node))
  }

  /** The number of the document's last line. */
  get lastNumber(): number {
    return this.lines
  }

  /** Returns the number of a line. A text that shows only some lines of a document keeps their numbers. */
  numberOf(line: number): number {
    return line
  }

  /** Returns the lines that have these numbers, or null if none of them is displayed. */
  findLines(numbers: { first: number; last: number }): { first: number; last: number } | null {
    return numbers
  }

  /** Returns a range between two offsets. A static range is cheap: the browser doesn't update it when the page changes. */
  staticRange(from: number, to: number): StaticRange {
    const [startContainer, startOffset] = this.#findPosition(from)
    const [endContainer, endOffset] = this.#findPosition(to, true)
    return new StaticRange({ startContainer, startOffset, endContainer, endOffset })
  }

  /**
   * Makes the browser lay out the chunks of these lines even if they are off-screen, and stops forcing all other
   * chunks. The positions of wrapped lines in a chunk are only correct once it is laid out.
   */
  forceLayout(lines: readonly number[]): void {
    for (const chunk of this.#forcedChunks) chunk.style.contentVisibility = ''
    this.#forcedChunks = lines.flatMap(
      (line) => this.#chunks[findLastAtMost(this.#chunkBreaks, line - 1)] ?? [],
    )
    for (const chunk of this.#forcedChunks) chunk.style.contentVisibility = 'visible'
  }

  /** Returns the box of a line's first character, or null if there is no character. */
  lineRect(line: number): DOMRect | null {
    const start = this.lineStart(line)
    return start >= this.length ? null : this.rect(start, start + 1)
  }

  /** Returns the first box of the text between two offsets, or null if it takes no space. */
  rect(from: number, to: number): DOMRect | null {
    const range = document.createRange()
    range.setStart(...this.#findPosition(from))
    range.setEnd(...this.#findPosition(to, true))
    return range.getClientRects()[0] ?? null
  }

  /**
   * Returns the first and the last line of the chunk at a height in the window. It measures only the boxes of
   * chunks: to measure a line, the browser would have to lay out the whole chunk.
   */
  linesAround(y: number): [first: number, last: number] {
    if (this.#chunks.length === 0) return [1, this.lines]
    let [low, high] = [0, this.#chunks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#chunks[middle]?.getBoundingClientRect().top ?? 0) <= y) low = middle
      else high = middle - 1
    }
    return [(this.#chunkBreaks[low] ?? 0) + 1, this.#chunkBreaks[low + 1] ?? this.lines]
  }

  /** Returns the node that contains an offset, and the offset within it, as `Range` takes them. */
  #findPosition(offset: number, end = false): [Node, number] {
    const position = this.locate(offset, end)
    const node = this.#nodes[position.segment]
    return node ? [node, position.offset] : [this.element, 0]
  }
}
