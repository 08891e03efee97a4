import { ESCAPE_SEQUENCE } from '../../shared/escape-sequences.ts'
import type { Tokens } from './tokens.ts'

const BRIGHT = 8
const BACKGROUND = 16
const UNDERLINE = 24
const STRIKE = 25
const BOLD = 26

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

/** The changes that parameters make, except those that are part of a range. */
const SWITCHES: Readonly<Record<number, Partial<Rendition>>> = {
  0: PLAIN_RENDITION,
  1: { bold: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
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

/** Takes what follows parameter 38, 48 or 58 from the list, as in `38;5;9` and `38;2;255;0;0`. */
function takeExtendedColour(rest: string[]): number | null {
  const take = () => Number(rest.shift() ?? 0)
  const kind = take()
  if (kind === 5) return getIndexedColour(Math.min(255, take()))
  if (kind === 2) return getNearestColour(take(), take(), take())
  return null
}

/** ITU-T T.416 puts a colour space before the three colours, which is mostly empty: `38:2::255:0:0`. */
function takeSubparameters([kind = '', ...rest]: readonly string[]): number | null {
  return takeExtendedColour([kind, ...(kind === '2' && rest.length > 3 ? rest.slice(1) : rest)])
}

/** Applies "select graphic rendition" (ECMA-48, 8.3.117). */
function applyRendition(rendition: Rendition, parameters: string): void {
  const rest = parameters.split(';', MAX_PARAMETERS)
  for (let parameter = rest.shift(); parameter !== undefined; parameter = rest.shift()) {
    const [first, ...subparameters] = parameter.split(':', MAX_PARAMETERS)
    const code = Number(first)
    const takeColour = () =>
      subparameters.length > 0 ? takeSubparameters(subparameters) : takeExtendedColour(rest)
    if (code === 4 && subparameters.length > 0) rendition.underline = Number(subparameters[0]) !== 0
    else if (Object.hasOwn(SWITCHES, code)) Object.assign(rendition, SWITCHES[code])
    else if (code >= 30 && code <= 37) rendition.foreground = code - 30
    else if (code >= 90 && code <= 97) rendition.foreground = code - 90 + BRIGHT
    else if (code >= 40 && code <= 47) rendition.background = code - 40
    else if (code >= 100 && code <= 107) rendition.background = code - 100 + BRIGHT
    else if (code === 38) rendition.foreground = takeColour()
    else if (code === 48) rendition.background = takeColour()
    // The colour of the line below the text, which has the colour of the text here.
    else if (code === 58) takeColour()
  }
}

/** Bold text gets the bright variant of its colour, as in terminals, or a bolder look. A background has one tint. */
function getStyleIndexes({ foreground, background, bold, inverse, underline, strike }: Rendition): number[] {
  const text = foreground !== null && foreground < BRIGHT && bold ? foreground + BRIGHT : foreground
  const [front, back] = inverse ? [background ?? BRIGHT + 7, text ?? 0] : [text, background]
  return [
    ...(front === null ? [] : [front]),
    ...(back === null ? [] : [(back % BRIGHT) + BACKGROUND]),
    ...(underline ? [UNDERLINE] : []),
    ...(strike ? [STRIKE] : []),
    ...(bold && foreground === null ? [BOLD] : []),
  ]
}

/** Characters that a terminal does something with, except a line break with its carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const CONTROL = /[\0-\x08\x0E-\x1F\x7F-\x9F]|\r(?!\n)/g

export const hasTerminalControls = (text: string): boolean => text.search(CONTROL) !== -1

/** The cursor of a line is always at its end, unless one of these moves it. */
const MOVES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /[\b\r]|(?:\x1B\[|\x9B)(?:\d*[CDGPX@`ab]|[12]K)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const SWALLOWED = /[\0-\x07\x0E-\x1A\x1C-\x1F\x7F-\x9F]/
const PART = new RegExp(`${ESCAPE_SEQUENCE.source}|([\\b\\r])|${SWALLOWED.source}`, 'g')

/** Escapes that do what a control sequence does, or have a name here. */
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\x1BM': 'A',
  '\x1B7': 's',
  '\x1B8': 'u',
  '\x1Bc': 'reset',
}

/** The letters from ` to ~ in the character set for lines (DEC Special Graphics). */
const LINES = [...'◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·']

/** Columns that a sequence may move or insert at once. Few terminals are wider. */
const MAX_MOVED = 1_000

/** Characters that share the cell of the one before. */
const JOINED = /[\p{M}\p{Cf}]/u

/** Characters that take two cells (Unicode UAX #11): wide, fullwidth, and emoji that are pictures by themselves. */
const WIDE =
  /[\u1100-\u115F\u2329\u232A\u2E80-\u303E\u3041-\u3247\u3250-\u4DBF\u4E00-\uA4C6\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6B\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FB}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}]|(?!\p{Regional_Indicator})\p{Emoji_Presentation}/u

/** The right half of a wide character. */
const HALF = ''

const TAB_STOP = 8

const PLAIN: readonly number[] = []

const LINE_BREAK = { text: '\n', styles: PLAIN }

const isSame = (one: readonly number[] = PLAIN, other: readonly number[] = PLAIN): boolean =>
  one === other || (one.length === other.length && one.every((style, index) => style === other[index]))

/**
 * A line while it is written: a terminal can write over what is there.
 *
 * @param budget the cells that sequences, which are short, may still add or move in all lines, so that no text takes forever.
 */
function createLine(budget: { cells: number }) {
  const cells: string[] = []
  const styles: (readonly number[])[] = []
  let cursor = 0
  let last: { readonly character: string; readonly style: readonly number[] } | null = null
  /** A backspace came right before. */
  let isBack = false

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
  const put = (character: string, width: number, style: readonly number[]) => {
    pad()
    last = { character, style }
    // Half of a wide character can't stay.
    if (cells[cursor] === HALF) cells[cursor - 1] = ' '
    if (cells[cursor + width] === HALF) cells[cursor + width] = ' '
    for (let at = 0; at < width; at++) {
      cells[cursor + at] = at === 0 ? character : HALF
      styles[cursor + at] = style
    }
    cursor += width
  }
  const repeat = (count: number) => {
    if (!last || !spend(count)) return
    const { character, style } = last
    for (let times = 0; times < count; times++) put(character, WIDE.test(character) ? 2 : 1, style)
  }
  const join = (character: string) => {
    pad()
    const before = cells[cursor - 1] === HALF ? cursor - 2 : cursor - 1
    if (before >= 0) cells[before] += character
  }
  /** Typewriters made letters bold by striking them twice, and underlined them with `_`. Manual pages still do so. */
  const overstrike = (character: string, style: readonly number[]): boolean => {
    if (!isBack) return false
    if (cells[cursor] === HALF) cursor -= 1
    const below = cells[cursor]
    if (below === character) put(character, WIDE.test(character) ? 2 : 1, [...style, BOLD])
    else if (below === '_') put(character, WIDE.test(character) ? 2 : 1, [...style, UNDERLINE])
    else if (character === '_' && below !== undefined && below !== ' ')
      put(below, WIDE.test(below) ? 2 : 1, [...style, UNDERLINE])
    else return false
    return true
  }
  return {
    write: (text: string, style: readonly number[]) => {
      for (const character of text) {
        if (character === '\t') {
          cursor += TAB_STOP - (cursor % TAB_STOP)
          pad()
        } else if (character <= '\u02FF') {
          if (!isBack || !overstrike(character, style)) put(character, 1, style)
        } else if (JOINED.test(character)) join(character)
        else if (!overstrike(character, style)) put(character, WIDE.test(character) ? 2 : 1, style)
        isBack = false
      }
    },
    /** A control sequence, or a carriage return or backspace. */
    control: (final: string, parameters: string) => {
      const count = Math.min(MAX_MOVED, Math.max(1, Number.parseInt(parameters, 10) || 0))
      isBack = final === '\b'
      if (final === '\r') cursor = 0
      else if (final === '\b' || final === 'D') cursor = Math.max(0, cursor - count)
      else if (final === 'C' || final === 'a') cursor += count
      else if (final === 'G' || final === '`') cursor = count - 1
      else if (final === 'K') erase(parameters)
      else if (final === 'P') splice(count, 0)
      else if (final === 'X') eraseAfter(count)
      else if (final === '@') splice(0, count)
      else if (final === 'b') repeat(count)
    },
    column: () => cursor,
    isEmpty: () => cells.length === 0,
    moveTo: (column: number) => {
      cursor = column
    },
    /** Calls `onRun` for each run of cells with the same styles. */
    finish: (onRun: (text: string, styles: readonly number[]) => void) => {
      let start = 0
      for (let end = 1; end <= cells.length; end++) {
        if (end < cells.length && isSame(styles[end], styles[start])) continue
        onRun(cells.slice(start, end).join(''), styles[start] ?? PLAIN)
        start = end
      }
    },
  }
}

type Line = ReturnType<typeof createLine>

/** The only sequences which show that a text was written over several lines. */
const SCREEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /(?:\x1B\[|\x9B)(?:\d*[AFd]|[\d;]*[Hf]|[su]|\?(?:1049|1047|47)[hl])|\x1B[M78c]/

/** No terminal is much higher: what is above can't be written over. */
const MAX_ROWS = 200
/** How many of the cells that sequences may add a row counts for. */
const ROW_CELLS = 8

interface Place {
  readonly row: number
  readonly column: number
}

const ALTERNATE = String.raw`(?:\x1B\[|\x9B)\?(?:1049|1047|47)[hl]`

/** The cursor is saved, goes to a place, and comes back in the same line. */
const ASIDE = (() => {
  const save = String.raw`(?:\x1B7|(?:\x1B\[|\x9B)s)`
  const restore = String.raw`(?:\x1B8|(?:\x1B\[|\x9B)u)`
  const place = String.raw`(?:\x1B\[|\x9B)[\d;]{0,20}[Hfd]`
  const end = String.raw`${save}|${restore}|${ALTERNATE}|\x1Bc|(?:\x1B\[|\x9B)[23]J`
  const others = (ends: string) => String.raw`(?:(?!${ends})[^\n]){0,2000}`
  return new RegExp(
    `(${save}${others(`${end}|${place}`)})${place}${others(end)}(${restore})|${ALTERNATE}`,
    'g',
  )
})()

/** Removes text that is written at another place meanwhile, such as apt's progress: it isn't between the lines. */
function removeAsides(text: string): string {
  let isAlternate = false
  return text.replaceAll(ASIDE, (found: string, start: string | undefined, end: string) => {
    if (start === undefined) isAlternate = found.endsWith('h')
    return start === undefined || isAlternate ? found : start + end
  })
}

/** Collects the text as it is shown, and its styles. */
function createOutput() {
  const parts: string[] = []
  const tokens: number[] = []
  const rendition = { ...PLAIN_RENDITION }
  let length = 0
  return {
    styles: PLAIN,
    /** Is true while letters stand for the lines of frames. */
    drawsLines: false,
    add(part: string, partStyles: readonly number[]) {
      if (part === '') return
      for (const style of partStyles) tokens.push(length, length + part.length, style)
      parts.push(part)
      length += part.length
    },
    /** Colours, and the character set. Returns false for other sequences. */
    applyLook(sequence: string, final: string | undefined, parameters = ''): boolean {
      if (final === 'm') {
        applyRendition(rendition, parameters)
        this.styles = getStyleIndexes(rendition)
      } else if (sequence.startsWith('\x1B(')) this.drawsLines = sequence === '\x1B(0'
      else return false
      return true
    },
    toShown(text: string): string {
      return this.drawsLines
        ? text.replaceAll(/[`-~]/g, (letter) => LINES[letter.charCodeAt(0) - 0x60] ?? letter)
        : text
    },
    finish: (hasSourceLines: boolean): ParsedAnsi => ({
      plainText: parts.join(''),
      tokens: new Uint32Array(tokens),
      hasSourceLines,
    }),
  }
}

type Output = ReturnType<typeof createOutput>

interface ParsedAnsi {
  readonly plainText: string
  readonly tokens: Tokens
  /** Is true if each line is where it is in the source. */
  readonly hasSourceLines: boolean
}

/** Writes the source of a line; `onOther` gets what isn't for a line alone. */
function writeLine(
  line: () => Line,
  source: string,
  output: Output,
  onOther: (final: string, parameters: string) => boolean = () => false,
): void {
  let at = 0
  const write = (end: number) => {
    if (end > at) line().write(output.toShown(source.slice(at, end)), output.styles)
  }
  for (const match of source.matchAll(PART)) {
    write(match.index)
    // Taking the groups apart as a list takes several times as long.
    const sequence = match[0]
    const parameters = match[1] ?? ''
    at = match.index + sequence.length
    const final = match[2] ?? match[3] ?? SHORT_ESCAPES[sequence] ?? ''
    if (!output.applyLook(sequence, final, parameters) && !onOther(final, parameters))
      line().control(final, parameters)
  }
  write(source.length)
}

/**
 * Shows what is left at the end where the cursor went up, such as several progress bars, or to a place on the screen, as in
 * `watch`. Lines may become fewer. Lines that were printed before the screen was first cleared stay above it.
 */
function parseScreen(text: string): ParsedAnsi {
  const output = createOutput()
  const budget = { cells: text.length + MAX_MOVED }
  let rows: Line[] = [createLine(budget)]
  let row = 0
  /** Lines that can't be written over any more. */
  let above = 0
  /** Places on the screen are counted from the first row. */
  let isScreen = false
  let saved: Place | null = null
  /** The screen as it was before a program filled it, and the rows that have scrolled off the top of the program's screen since. */
  let before: {
    readonly rows: Line[]
    readonly row: number
    readonly isScreen: boolean
    readonly saved: Place | null
  } | null = null
  let scrolled: { readonly text: string; readonly styles: readonly number[] }[] = []

  const spendRow = (): boolean => {
    budget.cells -= ROW_CELLS
    return budget.cells >= 0
  }
  const unused = createLine(budget)
  const current = (): Line => rows[row] ?? unused
  const addLine = (line: Line) => {
    line.finish(output.add)
    output.add('\n', PLAIN)
    above += 1
  }
  const scroll = () => {
    const line = rows.shift() ?? unused
    if (before) {
      line.finish((text, styles) => scrolled.push({ text, styles }))
      scrolled.push(LINE_BREAK)
    } else addLine(line)
    row -= 1
    if (saved) saved = { ...saved, row: saved.row - 1 }
  }
  const goTo = (next: number, column: number) => {
    row = Math.min(rows.length - 1, Math.max(0, next))
    current().moveTo(column)
  }
  const startScreen = () => {
    if (isScreen) return
    isScreen = true
    const column = current().column()
    if (!rows.at(-1)?.isEmpty()) rows.push(createLine(budget))
    while (rows.length > 1) scroll()
    goTo(0, column)
  }
  const goToPlace = (line: number, column: number) => {
    startScreen()
    // Farther down is the last row, however high the terminal was.
    while (line < MAX_ROWS && rows.length <= line && spendRow()) rows.push(createLine(budget))
    goTo(line, column)
  }
  const clear = () => {
    startScreen()
    for (const line of rows) if (!line.isEmpty()) line.control('K', '2')
  }
  const leave = () => {
    if (before) ({ rows, row, isScreen, saved } = before)
    before = null
    scrolled = []
  }
  const replaceScreen = (parameters: string, isStart: boolean): boolean => {
    if (!/^\?(?:1049|1047|47)$/.test(parameters)) return false
    if (!isStart) leave()
    else if (!before) {
      before = { rows, row, isScreen, saved }
      rows = [createLine(budget)]
      row = 0
      isScreen = true
    }
    return true
  }
  const move = (final: string, parameters: string): boolean => {
    const first = Number.parseInt(parameters, 10) || 0
    const count = Math.min(MAX_MOVED, Math.max(1, first))
    const column = current().column()
    if (final === 'd') goToPlace(count - 1, column)
    else if (final === 'H' || final === 'f') {
      const second = Number.parseInt(parameters.split(';')[1] ?? '', 10) || 0
      goToPlace(count - 1, Math.min(MAX_MOVED, Math.max(1, second)) - 1)
    } else if (final === 'A') goTo(row - count, column)
    else if (final === 'B') goTo(row + count, column)
    else if (final === 'F') goTo(row - count, 0)
    else if (final === 'E') goTo(row + count, 0)
    else if (final === 's' && parameters === '') saved = { row, column }
    else if (final === 'u' && parameters === '') {
      if (saved) goTo(saved.row, saved.column)
    } else if (final === 'reset') {
      leave()
      output.drawsLines = false
      clear()
      goTo(0, 0)
    } else if (final === 'J' && first === 2) clear()
    else if (final === 'J' && first === 0) {
      current().control('K', '')
      rows.length = row + 1
    } else return /^[hl]$/.test(final) && replaceScreen(parameters, final === 'h')
    return true
  }
  const addScreen = () => {
    const isShown = scrolled.length > 0 || rows.some((line) => !line.isEmpty())
    if (before && !isShown) rows = before.rows
    else if (before) {
      if (before.rows.at(-1)?.isEmpty()) before.rows.pop()
      before.rows.forEach(addLine)
      for (const { text, styles } of scrolled) output.add(text, styles)
    }
    const last = rows.pop()
    rows.forEach(addLine)
    last?.finish(output.add)
  }
  const lines = removeAsides(text).split('\n')
  let hasSourceLines = true
  for (const [index, source] of lines.entries()) {
    writeLine(current, source, output, move)
    hasSourceLines &&= above + row === index
    if (index === lines.length - 1) break
    if (row === rows.length - 1) rows.push(createLine(budget))
    goTo(row + 1, 0)
    if (rows.length > MAX_ROWS) scroll()
  }
  // What was cleared may be below the cursor.
  while (isScreen && rows.length - 1 > row && rows.at(-1)?.isEmpty()) rows.pop()
  addScreen()
  return output.finish(hasSourceLines && above + 1 === lines.length)
}

/**
 * A line that is written over, such as a progress bar, gets its last state. Where the cursor goes up, lines may become
 * fewer, unless `keepsLines`: then what moves the cursor to another line is only swallowed.
 */
export function parseAnsi(text: string, { keepsLines = false } = {}): ParsedAnsi {
  if (!keepsLines && SCREEN.test(text)) return parseScreen(text)
  const output = createOutput()
  const budget = { cells: text.length + MAX_MOVED }
  let from = 0
  const take = (to: number) => {
    output.add(output.toShown(text.slice(from, to)), output.styles)
    from = to
  }
  const strip = (start: number, end: number) => {
    for (const match of text.slice(start, end).matchAll(PART)) {
      take(start + match.index)
      from += match[0].length
      output.applyLook(match[0], match[2], match[1])
    }
  }
  const write = (start: number, end: number) => {
    take(start)
    const line = createLine(budget)
    writeLine(() => line, text.slice(start, end), output)
    line.finish(output.add)
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
  return output.finish(true)
}
