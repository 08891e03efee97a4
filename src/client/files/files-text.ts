import { DisplayedText, findLastAtMost } from '../text/displayed-text.ts'

/** Several texts, one below the other, that are searched as one. Offsets are from the start of the first. */
export class FilesText extends DisplayedText {
  readonly parts: readonly DisplayedText[]
  readonly #starts: number[] = []
  readonly #linesBefore: number[] = []

  constructor(element: HTMLElement, parts: readonly DisplayedText[]) {
    super(element)
    this.parts = parts
    let [length, lines] = [0, 0]
    for (const part of parts) {
      this.#starts.push(length)
      this.#linesBefore.push(lines)
      length += part.length
      lines += part.lines
    }
    this.length = length
    this.lines = Math.max(1, lines)
  }

  /** The text is in the parts. */
  override grow(): void {}

  #findPart(offset: number) {
    const index = Math.max(0, findLastAtMost(this.#starts, Math.max(0, Math.min(offset, this.length - 1))))
    return { part: this.parts[index], start: this.#starts[index] ?? 0, index }
  }

  /** Returns the part with a line, and the number of the line in it. */
  findPartOfLine(line: number) {
    const index = Math.max(0, findLastAtMost(this.#linesBefore, line - 1))
    return { index, line: line - (this.#linesBefore[index] ?? 0) }
  }

  override slice(from: number, to: number): string {
    const texts = this.parts.map((part, index) => {
      const start = this.#starts[index] ?? 0
      return start >= to || start + part.length <= from
        ? ''
        : part.slice(Math.max(0, from - start), to - start)
    })
    return texts.join('')
  }

  override lineAt(offset: number): number {
    const { part, start, index } = this.#findPart(offset)
    return (this.#linesBefore[index] ?? 0) + (part?.lineAt(offset - start) ?? 1)
  }

  /** Returns a range in the part where it starts. A range that would end in another part ends with that one. */
  override staticRange(from: number, to: number): StaticRange {
    const { part, start } = this.#findPart(from)
    if (!part) return super.staticRange(from, to)
    return part.staticRange(from - start, Math.min(part.length, to - start))
  }

  override rect(from: number, to: number): DOMRect | null {
    const { part, start } = this.#findPart(from)
    return part?.rect(from - start, Math.min(part.length, to - start)) ?? null
  }

  /** Spans from the first part in the window to the last one. */
  override visibleRange(): { readonly from: number; readonly to: number } {
    const ranges = this.parts.flatMap((part, index) => {
      const { top, bottom } = part.element.getBoundingClientRect()
      if (bottom === top || bottom < 0 || top > innerHeight) return []
      const start = this.#starts[index] ?? 0
      const { from, to } = part.visibleRange()
      return [{ from: start + from, to: start + to }]
    })
    return { from: ranges[0]?.from ?? 0, to: ranges.at(-1)?.to ?? 0 }
  }
}
