import { ESCAPE_SEQUENCE } from '../../shared/hidden-characters.ts'
import type { Tokens } from './tokens.ts'

const BACKGROUND = 8
const UNDERLINE = 16
const STRIKE = 17

/** Parameters that are read per sequence. Terminals support only a few, too. */
const MAX_PARAMETERS = 64

/** Colours are 0 to 7, as in `ANSI_STYLES`: a page that is light or dark has no use for bright variants. */
interface Rendition {
  foreground: number | null
  background: number | null
  inverse: boolean
  underline: boolean
  strike: boolean
}

const createPlainRendition = (): Rendition => ({
  foreground: null,
  background: null,
  inverse: false,
  underline: false,
  strike: false,
})

function getNearestColour(red: number, green: number, blue: number): number {
  const max = Math.max(red, green, blue)
  if (max < 48) return 0
  const bits = [red, green, blue].reduce((sum, part, index) => sum + (part > max / 2 ? 1 << index : 0), 0)
  return bits === 7 && max <= 128 ? 0 : bits
}

/** xterm's 256 are 16 basic colours, a 6×6×6 cube, then shades of grey. */
function getIndexedColour(index: number): number {
  if (index < 16) return index % 8
  if (index >= 232)
    return getNearestColour(
      ...([8, 8, 8].map((part) => part + (index - 232) * 10) as [number, number, number]),
    )
  const part = (divisor: number) => (Math.floor((index - 16) / divisor) % 6) * 51
  return getNearestColour(part(36), part(6), part(1))
}

/** What follows parameter 38 or 48 is removed from the list. */
function takeExtendedColour(rest: number[]): number | null {
  const kind = rest.shift()
  if (kind === 5) return getIndexedColour(Math.min(255, rest.shift() ?? 0))
  if (kind === 2) return getNearestColour(rest.shift() ?? 0, rest.shift() ?? 0, rest.shift() ?? 0)
  return null
}

/** "Select graphic rendition" (ECMA-48, 8.3.117). */
function applyRendition(rendition: Rendition, parameters: string): void {
  const rest = parameters.split(/[;:]/, MAX_PARAMETERS).map(Number)
  for (let code = rest.shift(); code !== undefined; code = rest.shift()) {
    if (code === 0) Object.assign(rendition, createPlainRendition())
    else if (code === 4) rendition.underline = true
    else if (code === 24) rendition.underline = false
    else if (code === 7) rendition.inverse = true
    else if (code === 27) rendition.inverse = false
    else if (code === 9) rendition.strike = true
    else if (code === 29) rendition.strike = false
    else if (code >= 30 && code <= 37) rendition.foreground = code - 30
    else if (code >= 90 && code <= 97) rendition.foreground = code - 90
    else if (code === 39) rendition.foreground = null
    else if (code >= 40 && code <= 47) rendition.background = code - 40
    else if (code >= 100 && code <= 107) rendition.background = code - 100
    else if (code === 49) rendition.background = null
    else if (code === 38) rendition.foreground = takeExtendedColour(rest)
    else if (code === 48) rendition.background = takeExtendedColour(rest)
  }
}

function getStyleIndexes({ foreground, background, inverse, underline, strike }: Rendition): number[] {
  const [front, back] = inverse ? [background ?? 7, foreground ?? 0] : [foreground, background]
  return [
    ...(front === null ? [] : [front]),
    ...(back === null ? [] : [back + BACKGROUND]),
    ...(underline ? [UNDERLINE] : []),
    ...(strike ? [STRIKE] : []),
  ]
}

/** What a terminal does something with, except a line break with its carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const CONTROL = /[\0-\x08\x0E-\x1F\x7F-\x9F]|\r(?!\n)/g

export const hasTerminalControls = (text: string): boolean => text.search(CONTROL) !== -1

/** Without these, the cursor of a line is always at its end. */
const MOVES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /[\b\r]|(?:\x1B\[|\x9B)(?:\d*[CDGPX@`a]|[12]K)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const SWALLOWED = /[\0-\x07\x0E-\x1A\x1C-\x1F\x7F-\x9F]/
const PART = new RegExp(`${ESCAPE_SEQUENCE.source}|([\\b\\r])|${SWALLOWED.source}`, 'g')

/** Columns that a sequence may move or insert at once. Few terminals are wider. */
const MAX_MOVED = 1_000

/** Characters that share the cell of the one before. */
const JOINED = /[\p{M}\u200C\u200D]/u

const PLAIN: readonly number[] = []

/** Cells that sequences, which are short, may still add or move in all lines, so that no text takes forever. */
interface Budget {
  cells: number
}

/** A line while it is written: a terminal can write over what is there. */
class Line {
  readonly #budget: Budget
  #cells: string[] = []
  #styles: (readonly number[])[] = []
  #cursor = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  write(text: string, styles: readonly number[]): void {
    for (const character of text) {
      if (character > '\u02FF' && this.#cursor > 0 && JOINED.test(character))
        this.#cells[this.#cursor - 1] += character
      else {
        this.#pad()
        this.#cells[this.#cursor] = character
        this.#styles[this.#cursor] = styles
        this.#cursor += 1
      }
    }
  }

  #moveTo(column: number): void {
    this.#cursor = Math.max(0, column)
  }

  /** A control sequence, or a carriage return or backspace. */
  control(final: string, parameters: string): void {
    const count = Math.min(MAX_MOVED, Math.max(1, Number.parseInt(parameters, 10) || 0))
    const cursor = this.#cursor
    if (final === '\r') this.#cursor = 0
    else if (final === '\b' || final === 'D') this.#moveTo(cursor - count)
    else if (final === 'C' || final === 'a') this.#moveTo(cursor + count)
    else if (final === 'G' || final === '`') this.#moveTo(count - 1)
    else if (final === 'K') this.#erase(parameters)
    else if (final === 'P') this.#splice(count, 0)
    else if (final === 'X') this.#eraseAfter(count)
    else if (final === '@') this.#splice(0, count)
  }

  /** Calls `onRun` for each run of cells with the same styles. */
  finish(onRun: (text: string, styles: readonly number[]) => void): void {
    let start = 0
    for (let end = 1; end <= this.#cells.length; end++) {
      if (end < this.#cells.length && this.#styles[end] === this.#styles[start]) continue
      onRun(this.#cells.slice(start, end).join(''), this.#styles[start] ?? PLAIN)
      start = end
    }
  }

  #spend(cells: number): boolean {
    if (this.#budget.cells < cells) return false
    this.#budget.cells -= cells
    return true
  }

  #pad(): void {
    const { length } = this.#cells
    if (this.#cursor > length && !this.#spend(this.#cursor - length)) this.#cursor = length
    this.#blank(length, this.#cursor)
  }

  #blank(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      this.#cells[at] = ' '
      this.#styles[at] = PLAIN
    }
  }

  #erase(parameters: string): void {
    const { length } = this.#cells
    if (parameters === '1') {
      const end = Math.min(length, this.#cursor + 1)
      if (this.#spend(end)) this.#blank(0, end)
    } else {
      const end = parameters === '2' ? 0 : Math.min(length, this.#cursor)
      this.#cells.length = end
      this.#styles.length = end
    }
  }

  #eraseAfter(count: number): void {
    const erased = Math.min(count, this.#cells.length - this.#cursor)
    if (erased > 0 && this.#spend(erased)) this.#blank(this.#cursor, this.#cursor + erased)
  }

  #splice(removed: number, inserted: number): void {
    const moved = this.#cells.length - this.#cursor
    if (moved <= 0 || !this.#spend(moved + inserted)) return
    this.#cells.splice(this.#cursor, removed, ...Array<string>(inserted).fill(' '))
    this.#styles.splice(this.#cursor, removed, ...Array<readonly number[]>(inserted).fill(PLAIN))
  }
}

/**
 * Lines stay as many, so that they keep their numbers: what moves the cursor to another line is only swallowed. A line
 * that is written over, such as a progress bar, gets its last state.
 */
export function parseAnsi(text: string): { plainText: string; tokens: Tokens } {
  const parts: string[] = []
  const tokens: number[] = []
  const rendition = createPlainRendition()
  const budget = { cells: text.length + MAX_MOVED }
  let styles = PLAIN
  let [length, from] = [0, 0]
  const add = (part: string, partStyles: readonly number[]) => {
    if (part === '') return
    for (const style of partStyles) tokens.push(length, length + part.length, style)
    parts.push(part)
    length += part.length
  }
  const take = (to: number) => {
    add(text.slice(from, to), styles)
    from = to
  }
  const applyStyles = (parameters: string) => {
    applyRendition(rendition, parameters)
    styles = getStyleIndexes(rendition)
  }
  const strip = (start: number, end: number) => {
    for (const match of text.slice(start, end).matchAll(PART)) {
      take(start + match.index)
      from += match[0].length
      if (match[2] === 'm') applyStyles(match[1] ?? '')
    }
  }
  const write = (start: number, end: number) => {
    take(start)
    const line = new Line(budget)
    const source = text.slice(start, end)
    let at = 0
    for (const match of source.matchAll(PART)) {
      line.write(source.slice(at, match.index), styles)
      at = match.index + match[0].length
      if (match[2] === 'm') applyStyles(match[1] ?? '')
      else line.control(match[2] ?? match[3] ?? '', match[1] ?? '')
    }
    line.write(source.slice(at), styles)
    line.finish(add)
    from = end
  }
  CONTROL.lastIndex = 0
  for (let found = CONTROL.exec(text); found; found = CONTROL.exec(text)) {
    const start = text.lastIndexOf('\n', found.index) + 1
    const lineBreak = text.indexOf('\n', found.index)
    const lineEnd = lineBreak === -1 ? text.length : lineBreak
    const end = lineBreak > 0 && text[lineBreak - 1] === '\r' ? lineBreak - 1 : lineEnd
    if (MOVES.test(text.slice(start, end))) write(start, end)
    else strip(start, end)
    CONTROL.lastIndex = lineEnd
  }
  take(text.length)
  return { plainText: parts.join(''), tokens: new Uint32Array(tokens) }
}
