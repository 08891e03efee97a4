import { findLastAtMost } from './binary-search.ts'

/** A segment of a text, such as a text node. */
interface Segment {
  readonly data: string
}

/** Finds lines and offsets in a text that is spread over many segments. Offsets are UTF-16 units from its start. */
export class TextIndex {
  /** The number of lines. A line break at the end of the text doesn't start another line. */
  readonly lines: number
  readonly length: number
  /** Length of the longest line in UTF-16 units. */
  readonly longestLine: number
  readonly #segments: readonly Segment[]
  /** The start offset of each segment, followed by the end offset of the text. */
  readonly #starts: readonly number[]
  /** The number of line breaks before each segment. */
  readonly #breaks: readonly number[]

  constructor(segments: readonly Segment[]) {
    const starts = [0]
    const breaks = [0]
    let [length, breaksBefore, lineStart, longestLine] = [0, 0, 0, 0]
    for (const { data } of segments) {
      for (let at = data.indexOf('\n'); at !== -1; at = data.indexOf('\n', at + 1)) {
        breaksBefore += 1
        longestLine = Math.max(longestLine, length + at - lineStart)
        lineStart = length + at + 1
      }
      length += data.length
      starts.push(length)
      breaks.push(breaksBefore)
    }
    this.length = length
    this.longestLine = Math.max(longestLine, length - lineStart)
    this.lines = Math.max(1, breaksBefore + (segments.at(-1)?.data.endsWith('\n') ? 0 : 1))
    this.#segments = segments
    this.#starts = starts
    this.#breaks = breaks
  }

  /** Returns the number of line breaks before a segment. */
  breaksBefore(segment: number): number {
    return this.#breaks[segment] ?? 0
  }

  /** Returns the start offset of a line, or the end of the text if there is no such line. */
  lineStart(line: number): number {
    if (line <= 1) return 0
    const index = findLastAtMost(this.#breaks, line - 2)
    const data = this.#segments[index]?.data
    if (data === undefined) return this.length
    let at = -1
    for (let breaks = this.#breaks[index] ?? 0; breaks < line - 1; breaks++) {
      at = data.indexOf('\n', at + 1)
      if (at === -1) return this.length
    }
    return (this.#starts[index] ?? 0) + at + 1
  }

  /** Returns the line that contains an offset. */
  lineAt(offset: number): number {
    const index = Math.max(0, findLastAtMost(this.#starts, Math.min(offset, this.length - 1)))
    const before =
      this.#segments[index]?.data.slice(0, Math.max(0, offset - (this.#starts[index] ?? 0))) ?? ''
    return (this.#breaks[index] ?? 0) + before.split('\n').length
  }

  /** Returns the text between two offsets. */
  slice(from: number, to: number): string {
    let text = ''
    for (let index = findLastAtMost(this.#starts, from); index < this.#segments.length; index++) {
      const start = this.#starts[index] ?? 0
      if (start >= to) break
      text += this.#segments[index]?.data.slice(Math.max(0, from - start), to - start) ?? ''
    }
    return text
  }

  /**
   * Returns the index of the segment that contains an offset, and the offset within it.
   *
   * @param end whether the offset is the end of a range: between two segments, it belongs to the first one.
   */
  locate(offset: number, end: boolean): { segment: number; offset: number } {
    const segment = Math.min(
      this.#segments.length - 1,
      Math.max(0, findLastAtMost(this.#starts, end ? offset - 1 : offset)),
    )
    const length = this.#segments[segment]?.data.length ?? 0
    return { segment, offset: Math.min(offset - (this.#starts[segment] ?? 0), length) }
  }
}
