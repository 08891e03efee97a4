/** A text as it stands in the page, in however many nodes. Offsets are UTF-16 units from its start. */
export class ShownText {
  readonly element: HTMLElement
  /** Lines as the page numbers them: a line break at the end begins no further line. */
  readonly lines: number
  readonly length: number
  /** UTF-16 units of the longest line. */
  readonly longestLine: number
  readonly #nodes: readonly Text[]
  /** Where each node starts, and at the end where the text ends. */
  readonly #starts: readonly number[]
  /** How many line breaks there are before each node. */
  readonly #breaks: readonly number[]
  /** The chunks of the text, and how many line breaks there are before each: none where it stands as a whole. */
  readonly #chunks: readonly HTMLElement[]
  readonly #chunkBreaks: readonly number[]
  #laidOut: readonly HTMLElement[] = []

  constructor(element: HTMLElement) {
    const nodes: Text[] = []
    const starts = [0]
    const breaks = [0]
    const chunks: HTMLElement[] = []
    const chunkBreaks: number[] = []
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    let [length, breaksBefore, lineStart, longestLine] = [0, 0, 0, 0]
    for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
      const { data } = node
      const chunk = node.parentElement?.closest<HTMLElement>('.chunk')
      if (chunk && chunk !== chunks.at(-1)) {
        chunks.push(chunk)
        chunkBreaks.push(breaksBefore)
      }
      for (let at = data.indexOf('\n'); at !== -1; at = data.indexOf('\n', at + 1)) {
        breaksBefore += 1
        longestLine = Math.max(longestLine, length + at - lineStart)
        lineStart = length + at + 1
      }
      length += data.length
      nodes.push(node)
      starts.push(length)
      breaks.push(breaksBefore)
    }
    this.element = element
    this.length = length
    this.longestLine = Math.max(longestLine, length - lineStart)
    this.lines = Math.max(1, breaksBefore + (nodes.at(-1)?.data.endsWith('\n') ? 0 : 1))
    this.#nodes = nodes
    this.#starts = starts
    this.#breaks = breaks
    this.#chunks = chunks
    this.#chunkBreaks = chunkBreaks
  }

  /** Where a line starts; of a line that is not there, where the text ends. */
  lineStart(line: number): number {
    if (line <= 1) return 0
    const index = lastNotAbove(this.#breaks, line - 2)
    const data = this.#nodes[index]?.data
    if (data === undefined) return this.length
    let at = -1
    for (let breaks = this.#breaks[index] ?? 0; breaks < line - 1; breaks++) {
      at = data.indexOf('\n', at + 1)
      if (at === -1) return this.length
    }
    return (this.#starts[index] ?? 0) + at + 1
  }

  /** The line that an offset is in. */
  lineAt(offset: number): number {
    const index = Math.max(0, lastNotAbove(this.#starts, Math.min(offset, this.length - 1)))
    const before = this.#nodes[index]?.data.slice(0, Math.max(0, offset - (this.#starts[index] ?? 0))) ?? ''
    return (this.#breaks[index] ?? 0) + before.split('\n').length
  }

  /** What stands between two offsets, which a browser does not follow through changes: it is cheap. */
  staticRange(from: number, to: number): StaticRange {
    const [startContainer, startOffset] = this.#place(from)
    const [endContainer, endOffset] = this.#place(to, true)
    return new StaticRange({ startContainer, startOffset, endContainer, endOffset })
  }

  /**
   * Lets the browser lay out the chunks of these lines, in sight or not, and of no others: the lines of a chunk
   * that wraps are where they seem to be only then.
   */
  layOut(lines: readonly number[]): void {
    for (const chunk of this.#laidOut) chunk.style.contentVisibility = ''
    this.#laidOut = lines.flatMap((line) => this.#chunks[lastNotAbove(this.#chunkBreaks, line - 1)] ?? [])
    for (const chunk of this.#laidOut) chunk.style.contentVisibility = 'visible'
  }

  /** Where the first character of a line is in the window; null for a line without characters. */
  lineRect(line: number): DOMRect | null {
    const start = this.lineStart(line)
    return start >= this.length ? null : this.rect(start, start + 1)
  }

  /** Where what stands between two offsets begins in the window; null where it takes no room. */
  rect(from: number, to: number): DOMRect | null {
    const range = document.createRange()
    range.setStart(...this.#place(from))
    range.setEnd(...this.#place(to, true))
    return range.getClientRects()[0] ?? null
  }

  /**
   * The first and the last line of the chunk at a height in the window. Only boxes are asked for: to know
   * where a line is, a browser has to lay out all of its chunk.
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

  /** The text between two offsets. */
  slice(from: number, to: number): string {
    let text = ''
    for (let index = lastNotAbove(this.#starts, from); index < this.#nodes.length; index++) {
      const start = this.#starts[index] ?? 0
      if (start >= to) break
      text += this.#nodes[index]?.data.slice(Math.max(0, from - start), to - start) ?? ''
    }
    return text
  }

  /** The node of an offset and the offset in it; `end`: as the end of what stands before it. */
  #place(offset: number, end = false): [Node, number] {
    const index = Math.min(
      this.#nodes.length - 1,
      Math.max(0, lastNotAbove(this.#starts, end ? offset - 1 : offset)),
    )
    const node = this.#nodes[index]
    if (!node) return [this.element, 0]
    return [node, Math.min(offset - (this.#starts[index] ?? 0), node.length)]
  }
}

/** The index of the last of ascending numbers that is not above the given one; -1 if all are. */
export function lastNotAbove(numbers: ArrayLike<number>, limit: number, stride = 1): number {
  let [low, high] = [0, numbers.length / stride]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle * stride] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
