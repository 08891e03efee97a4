import type { Tokens } from './tokens.ts'

// A control sequence (ECMA-48, 5.4), and a command of the operating system, such as a link (8.3.89).
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  /\x1B\[([0-?]*)[ -/]*([@-~])|\x1B\][^\x07\x1B\n]*(?:\x07|\x1B\\)|\x1B[@-Z\\^_=>]/g

const BRIGHT = 8
const BEHIND = 16
const UNDERLINE = 32
const STRIKE = 33

/** Parameters of a sequence that are read: terminals take no more than a few. */
const MOST_PARAMETERS = 64

/** What text looks like from here on: indexes of `ANSI_NAMES`. */
interface Rendition {
  colour: number | null
  behind: number | null
  bold: boolean
  inverse: boolean
  underline: boolean
  strike: boolean
}

const plain = (): Rendition => ({
  colour: null,
  behind: null,
  bold: false,
  inverse: false,
  underline: false,
  strike: false,
})

/** The nearest of the 16 colours. */
function nearest(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue)
  if (most < 48) return 0
  const bits = [red, green, blue].reduce((sum, part, index) => sum + (part > most / 2 ? 1 << index : 0), 0)
  if (bits === 7) return most > 200 ? BRIGHT + 7 : most > 128 ? 7 : BRIGHT
  return most > 200 ? BRIGHT + bits : bits
}

/** One of the 256 colours of xterm: 16 of its own, a cube of six, a ramp of grey. */
function indexed(index: number): number {
  if (index < 16) return index
  if (index >= 232)
    return nearest(...([8, 8, 8].map((part) => part + (index - 232) * 10) as [number, number, number]))
  const part = (divisor: number) => (Math.floor((index - 16) / divisor) % 6) * 51
  return nearest(part(36), part(6), part(1))
}

/** A colour of 256 or of 16 million, of which the first parameter was 38 or 48; takes what it reads off the list. */
function extended(rest: number[]): number | null {
  const kind = rest.shift()
  if (kind === 5) return indexed(Math.min(255, rest.shift() ?? 0))
  if (kind === 2) return nearest(rest.shift() ?? 0, rest.shift() ?? 0, rest.shift() ?? 0)
  return null
}

/** Applies the parameters of one "select graphic rendition" (ECMA-48, 8.3.117). */
function apply(rendition: Rendition, parameters: string): void {
  const rest = parameters.split(/[;:]/, MOST_PARAMETERS).map(Number)
  for (let code = rest.shift(); code !== undefined; code = rest.shift()) {
    if (code === 0) Object.assign(rendition, plain())
    else if (code === 1) rendition.bold = true
    else if (code === 22) rendition.bold = false
    else if (code === 4) rendition.underline = true
    else if (code === 24) rendition.underline = false
    else if (code === 7) rendition.inverse = true
    else if (code === 27) rendition.inverse = false
    else if (code === 9) rendition.strike = true
    else if (code === 29) rendition.strike = false
    else if (code >= 30 && code <= 37) rendition.colour = code - 30
    else if (code >= 90 && code <= 97) rendition.colour = code - 90 + BRIGHT
    else if (code === 39) rendition.colour = null
    else if (code >= 40 && code <= 47) rendition.behind = code - 40
    else if (code >= 100 && code <= 107) rendition.behind = code - 100 + BRIGHT
    else if (code === 49) rendition.behind = null
    else if (code === 38) rendition.colour = extended(rest)
    else if (code === 48) rendition.behind = extended(rest)
  }
}

/** The names that a rendition is drawn by. A terminal draws bold text in the bright one of its colours. */
function namesOf({ colour, behind, bold, inverse, underline, strike }: Rendition): number[] {
  const text = colour !== null && colour < BRIGHT && bold ? colour + BRIGHT : colour
  const [front, back] = inverse ? [behind ?? BRIGHT + 7, text ?? 0] : [text, behind]
  return [
    ...(front === null ? [] : [front]),
    ...(back === null ? [] : [back + BEHIND]),
    ...(underline ? [UNDERLINE] : []),
    ...(strike ? [STRIKE] : []),
  ]
}

/** Whether a text has sequences that colour it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
export const isColoured = (text: string): boolean => /\x1B\[[\d;:]*m/.test(text)

/** A text as a terminal shows it: without its escape sequences, and what they colour. */
export function readColours(text: string): { text: string; tokens: Tokens } {
  const parts: string[] = []
  const tokens: number[] = []
  const rendition = plain()
  let [length, from] = [0, 0]
  const take = (to: number) => {
    if (to === from) return
    for (const name of namesOf(rendition)) tokens.push(length, length + to - from, name)
    parts.push(text.slice(from, to))
    length += to - from
  }
  for (const match of text.matchAll(SEQUENCE)) {
    take(match.index)
    from = match.index + match[0].length
    if (match[2] === 'm') apply(rendition, match[1] ?? '')
  }
  take(text.length)
  return { text: parts.join(''), tokens: new Uint32Array(tokens) }
}
