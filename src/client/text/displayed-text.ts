import { isWrapped, NARROW } from '../../shared/display.ts'

/** The last number from `low` to `high` for which it holds, as for all between; `low` if for none. */
function findLast(low: number, high: number, holds: (number: number) => boolean): number {
  let [first, last] = [low, high]
  while (first < last) {
    const middle = (first + last + 1) >> 1
    if (holds(middle)) first = middle
    else last = middle - 1
  }
  return first
}

/** The index of the last number that is at most `limit`, or -1. Only every nth number counts with a `stride` of n. */
export const findLastAtMost = (numbers: ArrayLike<number>, limit: number, stride = 1): number =>
  findLast(-1, numbers.length / stride - 1, (index) => (numbers[index * stride] ?? 0) <= limit)

interface Segment {
  readonly data: string
}

/** Offsets are UTF-16 units from the start of the text. */
export class TextIndex<Part extends Segment = Segment> {
  /** A line break at the end of the text doesn't start another line. */
  lines = 1
  length = 0
  longestLine = 0
  readonly segments: Part[] = []
  /** The start offset of each segment, followed by the end offset of the text. */
  readonly starts = [0]
  /** The line breaks before each. */
  readonly breaks = [0]
  #lastLineStart = 0

  constructor(segments: Iterable<Part>) {
    this.append(segments)
  }

  append(segments: Iterable<Part>): void {
    let breaksBefore = this.breaks.at(-1) ?? 0
    for (const segment of segments) {
      const { data } = segment
      for (let at = data.indexOf('\n'); at !== -1; at = data.indexOf('\n', at + 1)) {
        breaksBefore += 1
        this.longestLine = Math.max(this.longestLine, this.length + at - this.#lastLineStart)
        this.#lastLineStart = this.length + at + 1
      }
      this.length += data.length
      this.segments.push(segment)
      this.starts.push(this.length)
      this.breaks.push(breaksBefore)
    }
    this.longestLine = Math.max(this.longestLine, this.length - this.#lastLineStart)
    this.lines = Math.max(1, breaksBefore + (this.segments.at(-1)?.data.endsWith('\n') ? 0 : 1))
  }

  lineStart(line: number): number {
    if (line <= 1) return 0
    const index = findLastAtMost(this.breaks, line - 2)
    const data = this.segments[index]?.data
    if (data === undefined) return this.length
    let at = -1
    for (let breaks = this.breaks[index] ?? 0; breaks < line - 1; breaks++) {
      at = data.indexOf('\n', at + 1)
      if (at === -1) return this.length
    }
    return (this.starts[index] ?? 0) + at + 1
  }

  lineAt(offset: number): number {
    const index = Math.max(0, findLastAtMost(this.starts, Math.min(offset, this.length - 1)))
    const before = this.segments[index]?.data.slice(0, Math.max(0, offset - (this.starts[index] ?? 0))) ?? ''
    return (this.breaks[index] ?? 0) + before.split('\n').length
  }

  slice(from: number, to: number): string {
    let text = ''
    for (let index = findLastAtMost(this.starts, from); index < this.segments.length; index++) {
      const start = this.starts[index] ?? 0
      if (start >= to) break
      text += this.segments[index]?.data.slice(Math.max(0, from - start), to - start) ?? ''
    }
    return text
  }

  /** @param end whether the offset is the end of a range: between two segments, it belongs to the first one. */
  locate(offset: number, end: boolean): { segment: number; offset: number } {
    const segment = Math.min(
      this.segments.length - 1,
      Math.max(0, findLastAtMost(this.starts, end ? offset - 1 : offset)),
    )
    const length = this.segments[segment]?.data.length ?? 0
    return { segment, offset: Math.min(offset - (this.starts[segment] ?? 0), length) }
  }
}

export class DisplayedText extends TextIndex<Text> {
  readonly element: HTMLElement
  /** The chunks, and the line breaks before each. They're empty if the text isn't split into chunks. */
  readonly #chunks: HTMLElement[] = []
  readonly #chunkBreaks: number[] = []
  #forcedChunks: readonly HTMLElement[] = []
  /** Counts up when segments are split, because ranges made before are wrong then. */
  revision = 0
  /** Is true while the browser still receives the text. */
  grows = false

  /** @param grows if true, only the chunks that are there completely are part of it. */
  constructor(element: HTMLElement, grows = false) {
    super([])
    this.element = element
    this.grow(grows)
  }

  grow(grows: boolean): void {
    this.grows = grows
    const walker = document.createTreeWalker(this.element, NodeFilter.SHOW_TEXT)
    const last = this.segments.at(-1)
    if (last) walker.currentNode = last
    for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
      const chunk = node.parentElement?.closest<HTMLElement>('.chunk, .md-part')
      if (grows && !chunk?.nextSibling) return
      if (chunk && chunk !== this.#chunks.at(-1)) {
        this.#chunks.push(chunk)
        this.#chunkBreaks.push(this.breaks.at(-1) ?? 0)
      }
      this.append([node])
    }
  }

  /** Says where the lines are that are part of it. */
  box(): { readonly top: number; readonly height: number } {
    const { top, bottom } = this.element.getBoundingClientRect()
    const end = (this.grows && this.#chunks.at(-1)?.getBoundingClientRect().bottom) || bottom
    return { top, height: end - top }
  }

  get lastNumber(): number {
    return this.lines
  }

  /** A text that shows only some lines of a document keeps their numbers. */
  getNumber(line: number): number {
    return line
  }

  findLines(numbers: { first: number; last: number }): { first: number; last: number } | null {
    return numbers
  }

  /** A static range is cheap: the browser doesn't update it when the page changes. */
  staticRange(from: number, to: number): StaticRange {
    const [startContainer, startOffset] = this.#findPosition(from)
    const [endContainer, endOffset] = this.#findPosition(to, true)
    return new StaticRange({ startContainer, startOffset, endContainer, endOffset })
  }

  /** Lays out the chunks of these lines, and only these, even off-screen: only then are positions in them correct. */
  forceLayout(lines: readonly number[]): void {
    for (const chunk of this.#forcedChunks) chunk.style.contentVisibility = ''
    this.#forcedChunks = lines.flatMap(
      (line) => this.#chunks[findLastAtMost(this.#chunkBreaks, line - 1)] ?? [],
    )
    for (const chunk of this.#forcedChunks) chunk.style.contentVisibility = 'visible'
  }

  /** Returns the chunks up to this far from the window. The text must be displayed. */
  chunksNear(distance: number): HTMLElement[] {
    const indexAt = (y: number) => findLastAtMost(this.#chunkBreaks, this.linesAround(y)[0] - 1)
    return this.#chunks.slice(Math.max(0, indexAt(-distance)), indexAt(innerHeight + distance) + 1)
  }

  /** Returns the end of the text after the last line. */
  lineTop(line: number, lineHeight: number): number {
    const index = findLastAtMost(this.#chunkBreaks, line - 1)
    const above = this.#chunkBreaks[index] ?? 0
    const { top, height } = (this.#chunks[index] ?? this.element).getBoundingClientRect()
    // A chunk of which no line wraps is as high as its lines, so none needs to be measured.
    if (Math.round(height / lineHeight) + above === (this.#chunkBreaks[index + 1] ?? this.lines))
      return top + (line - 1 - above) * lineHeight
    const start = this.lineStart(line)
    const rect = start < this.length && this.rect(start, start + 1)
    // A character's box is as high as its font and vertically centred in the line.
    return rect ? rect.top - (lineHeight - rect.height) / 2 : this.element.getBoundingClientRect().bottom
  }

  rect(from: number, to: number): DOMRect | null {
    const range = document.createRange()
    range.setStart(...this.#findPosition(from))
    range.setEnd(...this.#findPosition(to, true))
    return range.getClientRects()[0] ?? null
  }

  /** Measures only the boxes of chunks: to measure a line, the browser would have to lay out the whole chunk. */
  linesAround(y: number): [first: number, last: number] {
    const isAbove = (index: number) => (this.#chunks[index]?.getBoundingClientRect().top ?? 0) <= y
    const index = findLast(0, this.#chunks.length - 1, isAbove)
    return [(this.#chunkBreaks[index] ?? 0) + 1, this.#chunkBreaks[index + 1] ?? this.lines]
  }

  /** Returns the range of the lines in the window. */
  visibleRange(): { readonly from: number; readonly to: number } {
    const { lineAt } = getLineLayout(this)
    return { from: this.lineStart(lineAt(0)), to: this.lineStart(lineAt(innerHeight) + 1) }
  }

  #findPosition(offset: number, end = false): [Node, number] {
    const position = this.locate(offset, end)
    const node = this.segments[position.segment]
    return node ? [node, position.offset] : [this.element, 0]
  }
}

/** Vertical positions relative to the window. They change with every scroll and resize. */
type LineLayout = ReturnType<typeof getUniformLayout>

/** Measures only the box of the text. */
function getUniformLayout(text: DisplayedText) {
  const { top, height } = text.box()
  const lineHeight = height / text.lines
  return {
    top: (line: number) => top + (line - 1) * lineHeight,
    /** The nearest line if the height is outside the text. */
    lineAt: (y: number) => Math.min(text.lines, Math.max(1, Math.floor((y - top) / lineHeight) + 1)),
  }
}

function getWrappedLayout(text: DisplayedText): LineLayout {
  const lineHeight = Number.parseFloat(getComputedStyle(text.element).lineHeight)
  const top = (line: number) => text.lineTop(line, lineHeight)
  const lineAt = (y: number) => findLast(...text.linesAround(y), (line) => top(line) <= y)
  return { top, lineAt }
}

export const getLineLayout = (text: DisplayedText): LineLayout =>
  text.element.closest('.wrapped,.tall') ? getWrappedLayout(text) : getUniformLayout(text)

/** The server knows phones, but neither how wide a window is nor what an encrypted text is like. */
export function wrapIfNeeded(section: HTMLElement, longestLine: number): void {
  if (section.matches('.wrapped, .unwrapped')) return
  const display = { wrapped: null, isNarrow: innerWidth <= NARROW }
  const language = section.dataset.language ?? ''
  section.classList.toggle('wrapped', isWrapped(display, { language, longestLine }))
}
