import { LONGEST_WHOLE } from '../../shared/lines.ts'
import { layoutOf } from '../viewer/layout.ts'
import { lastNotAbove, type ShownText } from '../viewer/text-view.ts'
import { TOKEN_SIZE, type Tokens } from './tokens.ts'

/** Lines above and below those in sight that are coloured with them. */
const MARGIN = 60
/** Tokens that are coloured at once: more take a browser longer than anybody waits for colours. */
const MOST_TOKENS = 10_000

/** Whether this browser colours text without changing the page for it (CSS Custom Highlight API). */
export const canPaint = (): boolean => typeof CSS === 'object' && 'highlights' in CSS

/** Colours what is in sight of a text. */
export class Painter {
  readonly #names: readonly string[]
  readonly #tokens: Tokens
  readonly #text: ShownText
  #painted = { first: 0, last: -1 }

  constructor(text: ShownText, tokens: Tokens, names: readonly string[]) {
    this.#text = text
    this.#tokens = tokens
    this.#names = names
  }

  /** Colours the lines that are in sight now, unless they are coloured already. */
  paint(): void {
    const layout = layoutOf(this.#text)
    const [top, bottom] = [layout.lineAt(0), layout.lineAt(innerHeight)]
    if (top >= this.#painted.first && bottom <= this.#painted.last) return
    const ranges = new Map<number, StaticRange[]>()
    // Lines of thousands of characters have their colours as far as there are enough for all.
    const each = Math.ceil(MOST_TOKENS / (bottom - top + 1))
    let left = MOST_TOKENS
    let [first, last] = [top, bottom]
    for (let line = top; line <= bottom; line++) left -= this.#rangesOfLine(line, each, ranges)
    while (left > 0 && first > 1 && top - first < MARGIN) left -= this.#rangesOfLine(--first, each, ranges)
    while (left > 0 && last < this.#text.lines && last - bottom < MARGIN)
      left -= this.#rangesOfLine(++last, each, ranges)
    this.#painted = { first, last }
    for (const [index, name] of this.#names.entries()) {
      const found = ranges.get(index)
      if (!found) {
        CSS.highlights.delete(name)
        continue
      }
      const highlight = new Highlight()
      // More than a function takes as its arguments.
      for (const range of found) highlight.add(range)
      CSS.highlights.set(name, highlight)
    }
  }

  /** Takes all colours away. */
  clear(): void {
    for (const name of this.#names) CSS.highlights.delete(name)
    this.#painted = { first: 0, last: -1 }
  }

  /** Adds the ranges of a line's tokens, as many as may be, and returns how many these are. */
  #rangesOfLine(line: number, most: number, ranges: Map<number, StaticRange[]>): number {
    const start = this.#text.lineStart(line)
    const end = this.#text.lineStart(line + 1)
    // Colours on a line of a megabyte stop the browser for seconds, in sight or not.
    if (end - start > LONGEST_WHOLE) return 0
    const tokens = this.#tokens
    // The ends of what does not overlap ascend as the starts do; several names of one place are beside each other.
    let index = Math.max(0, lastNotAbove(tokens, start, TOKEN_SIZE))
    while (index > 0 && (tokens[(index - 1) * TOKEN_SIZE + 1] ?? 0) > start) index -= 1
    let count = 0
    for (let at = index * TOKEN_SIZE; at < tokens.length && count < most; at += TOKEN_SIZE) {
      const [from = 0, to = 0, name = 0] = tokens.subarray(at, at + TOKEN_SIZE)
      if (from >= end) break
      if (to <= start) continue
      const range = this.#text.staticRange(Math.max(from, start), Math.min(to, end))
      const known = ranges.get(name)
      if (known) known.push(range)
      else ranges.set(name, [range])
      count += 1
    }
    return count
  }
}
