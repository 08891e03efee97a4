import { ESCAPE_SEQUENCE } from '../../shared/hidden-characters.ts'
import type { Tokens } from './tokens.ts'

const BRIGHT = 8
const BACKGROUND = 16
const UNDERLINE = 24
const STRIKE = 25

/** Parameters that are read per sequence. Terminals support only a few, too. */
const MAX_PARAMETERS = 64

/** Colours are 0 to 15, as in `ANSI_STYLES`. */
const PLAIN_RENDITION = {
  foreground: null as number | null,
  background: null as number | null,
  bold: false,
  inverse: false,
  underline: false,
  strike: false,
}

type Rendition = typeof PLAIN_RENDITION

/** What parameters without a range change. */
const SWITCHES: Readonly<Record<number, Partial<Rendition>>> = {
  0: PLAIN_RENDITION,
  1: { bold: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { foreground: null },
  49: { background: null },
}

function getNearestColour(red: number, green: number, blue: number): number {
  const max = Math.max(red, green, blue)
  if (max < 48) return 0
  const bits = [red, green, blue].reduce((sum, part, index) => sum + (part > max / 2 ? 1 << index : 0), 0)
  if (bits === 7) return max > 200 ? BRIGHT + 7 : max > 128 ? 7 : BRIGHT
  return max > 200 ? BRIGHT + bits : bits
}

/** xterm's 256 are 16 basic colours, a 6×6×6 cube, then shades of grey. */
function getIndexedColour(index: number): number {
  if (index < 16) return index
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
    if (Object.hasOwn(SWITCHES, code)) Object.assign(rendition, SWITCHES[code])
    else if (code >= 30 && code <= 37) rendition.foreground = code - 30
    else if (code >= 90 && code <= 97) rendition.foreground = code - 90 + BRIGHT
    else if (code >= 40 && code <= 47) rendition.background = code - 40
    else if (code >= 100 && code <= 107) rendition.background = code - 100 + BRIGHT
    else if (code === 38) rendition.foreground = takeExtendedColour(rest)
    else if (code === 48) rendition.background = takeExtendedColour(rest)
  }
}

/** Bold text gets the bright variant of its colour, as in terminals. A background has one tint. */
function getStyleIndexes({ foreground, background, bold, inverse, underline, strike }: Rendition): number[] {
  const text = foreground !== null && foreground < BRIGHT && bold ? foreground + BRIGHT : foreground
  const [front, back] = inverse ? [background ?? BRIGHT + 7, text ?? 0] : [text, background]
  return [
    ...(front === null ? [] : [front]),
    ...(back === null ? [] : [(back % BRIGHT) + BACKGROUND]),
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

/**
 * A line while it is written: a terminal can write over what is there.
 *
 * @param budget the cells that sequences, which are short, may still add or move in all lines, so that no text takes forever.
 */
function createLine(budget: { cells: number }) {
  const cells: string[] = []
  const styles: (readonly number[])[] = []
  let cursor = 0

  const spend = (count: number): boolean => {
    if (budget.cells < count) return false
    budget.cells -= count
    return true
  }
  const blank = (from: number, to: number) => {
    cells.fill(' ', from, to)
    styles.fill(PLAIN, from, to)
  }
  const cut = (length: number) => {
    cells.length = length
    styles.length = length
  }
  const pad = () => {
    const { length } = cells
    if (cursor <= length) return
    if (!spend(cursor - length)) cursor = length
    cut(cursor)
    blank(length, cursor)
  }
  const erase = (parameters: string) => {
    const { length } = cells
    if (parameters !== '1') return cut(parameters === '2' ? 0 : Math.min(length, cursor))
    const end = Math.min(length, cursor + 1)
    if (spend(end)) blank(0, end)
  }
  const eraseAfter = (count: number) => {
    const erased = Math.min(count, cells.length - cursor)
    if (erased > 0 && spend(erased)) blank(cursor, cursor + erased)
  }
  const splice = (removed: number, inserted: number) => {
    const moved = cells.length - cursor
    if (moved <= 0 || !spend(moved + inserted)) return
    cells.splice(cursor, removed, ...Array<string>(inserted).fill(' '))
    styles.splice(cursor, removed, ...Array<readonly number[]>(inserted).fill(PLAIN))
  }
  return {
    write: (text: string, style: readonly number[]) => {
      for (const character of text) {
        if (character > '\u02FF' && cursor > 0 && JOINED.test(character)) cells[cursor - 1] += character
        else {
          pad()
          cells[cursor] = character
          styles[cursor] = style
          cursor += 1
        }
      }
    },
    /** A control sequence, or a carriage return or backspace. */
    control: (final: string, parameters: string) => {
      const count = Math.min(MAX_MOVED, Math.max(1, Number.parseInt(parameters, 10) || 0))
      if (final === '\r') cursor = 0
      else if (final === '\b' || final === 'D') cursor = Math.max(0, cursor - count)
      else if (final === 'C' || final === 'a') cursor += count
      else if (final === 'G' || final === '`') cursor = count - 1
      else if (final === 'K') erase(parameters)
      else if (final === 'P') splice(count, 0)
      else if (final === 'X') eraseAfter(count)
      else if (final === '@') splice(0, count)
    },
    /** Calls `onRun` for each run of cells with the same styles. */
    finish: (onRun: (text: string, styles: readonly number[]) => void) => {
      let start = 0
      for (let end = 1; end <= cells.length; end++) {
        if (end < cells.length && styles[end] === styles[start]) continue
        onRun(cells.slice(start, end).join(''), styles[start] ?? PLAIN)
        start = end
      }
    },
  }
}

/**
 * Lines stay as many, so that they keep their numbers: what moves the cursor to another line is only swallowed. A line
 * that is written over, such as a progress bar, gets its last state.
 */
export function parseAnsi(text: string): { plainText: string; tokens: Tokens } {
  const parts: string[] = []
  const tokens: number[] = []
  const rendition = { ...PLAIN_RENDITION }
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
    const line = createLine(budget)
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
