import { createEncoder } from './diff-tokens.ts'

/** The lines of a text, by index from 0, each with its line break. */
export class TextLines {
  readonly #text: string
  /** Where each line starts, and the end of the text. */
  readonly #starts: readonly number[]

  private constructor(text: string, starts: readonly number[]) {
    this.#text = text
    this.#starts = starts
  }

  /** Splits a text; returns null if it has more lines than `maxLines`. */
  static split(text: string, maxLines: number): TextLines | null {
    const starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      if (starts.length > maxLines) return null
      starts.push(at + 1)
    }
    if (starts.at(-1) !== text.length) starts.push(text.length)
    return starts.length - 1 > maxLines ? null : new TextLines(text, starts)
  }

  get count(): number {
    return this.#starts.length - 1
  }

  get endsWithLineBreak(): boolean {
    return this.#text.endsWith('\n')
  }

  /** Returns a line with its line break, which the last one may lack. */
  get(index: number): string {
    return this.#text.slice(this.#starts[index], this.#starts[index + 1])
  }
}

/** Returns the lines of two texts between their first and their last difference, as numbers: equal lines have the same. */
export function encodeLines(old: TextLines, current: TextLines) {
  const max = Math.min(old.count, current.count)
  let start = 0
  while (start < max && old.get(start) === current.get(start)) start += 1
  let end = 0
  while (end < max - start && old.get(old.count - 1 - end) === current.get(current.count - 1 - end)) end += 1
  const encode = createEncoder()
  const list = (lines: TextLines): number[] =>
    Array.from({ length: lines.count - end - start }, (_, index) => encode(lines.get(start + index)))
  return { start, old: list(old), current: list(current) }
}
