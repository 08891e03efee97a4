import { DIFF_LINES, parseDiff } from '../../highlight/diff.ts'
import { createElement } from '../../shared/elements.ts'
import type { DisplayedText } from '../../text/displayed-text.ts'
import { LineTints, placeLines } from './highlighting.ts'

/** Phones have room for one number: the new one, or the old one of a removed line. */
const NARROW = '(max-width: 40rem)'

const formatNumber = (number: number | undefined) => (number ? String(number) : '')

/** Tints the lines of a diff, and numbers them as in the old and the new file. */
export class DiffLines {
  readonly #text: DisplayedText
  readonly #tints: LineTints
  readonly #kinds: Uint8Array
  readonly #numbers: { readonly old: Uint32Array; readonly new: Uint32Array }
  /** Null if no line has a number, or the document has no column of numbers. */
  readonly #column: HTMLElement | null
  readonly #digits: number

  constructor(text: DisplayedText) {
    this.#text = text
    this.#kinds = new Uint8Array(text.lines)
    this.#numbers = { old: new Uint32Array(text.lines), new: new Uint32Array(text.lines) }
    let [index, last] = [0, 0]
    for (const line of parseDiff(text.element.textContent ?? '')) {
      this.#kinds[index] = DIFF_LINES.indexOf(line.kind)
      this.#numbers.old[index] = line.old
      this.#numbers.new[index] = line.new
      last = Math.max(last, line.old, line.new)
      index += 1
    }
    this.#tints = new LineTints(text, (line) => this.#getKind(line))
    this.#digits = String(last).length
    const numbers = text.element.closest('.text')?.querySelector<HTMLElement>('.numbers') ?? null
    this.#column = last > 0 && numbers ? createElement('div', { className: 'diff-numbers' }) : null
    if (this.#column) numbers?.append(this.#column)
  }

  paint(): void {
    this.#tints.paint()
    const isNarrow = matchMedia(NARROW).matches
    const format = (line: number) => this.#formatNumbers(line - 1, isNarrow)
    if (this.#column) placeLines(this.#text, this.#column, (line) => createElement('span', {}, format(line)))
  }

  clear(): void {
    this.#tints.clear()
    this.#column?.remove()
  }

  #getKind(line: number): string | null {
    const kind = DIFF_LINES[this.#kinds[line - 1] ?? 0]
    return kind === undefined || kind === 'context' ? null : kind
  }

  /** Both columns are as wide as the largest number. */
  #formatNumbers(index: number, isNarrow: boolean): string {
    const old = formatNumber(this.#numbers.old[index])
    const current = formatNumber(this.#numbers.new[index])
    if (isNarrow) return current || old
    return `${old.padStart(this.#digits)}  ${current.padStart(this.#digits)}`
  }
}
