import type { Tokens } from './tokens.ts'

// A control sequence (ECMA-48, 5.4), an operating system command such as a link (8.3.89), or a short escape.
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /\x1B\[([0-?]*)[ -/]*([@-~])|\x1B\][^\x07\x1B\n]*(?:\x07|\x1B\\)|\x1B[@-Z\\^_=>]/g

const BRIGHT = 8
const BACKGROUND = 16
const UNDERLINE = 32
const STRIKE = 33

/** Parameters that are read per sequence. Terminals support only a few, too. */
const MAX_PARAMETERS = 64

/** Colours are 0 to 15, as in `ANSI_STYLES`. */
interface Rendition {
  foreground: number | null
  background: number | null
  bold: boolean
  inverse: boolean
  underline: boolean
  strike: boolean
}

const createPlainRendition = (): Rendition => ({
  foreground: null,
  background: null,
  bold: false,
  inverse: false,
  underline: false,
  strike: false,
})

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
    if (code === 0) Object.assign(rendition, createPlainRendition())
    else if (code === 1) rendition.bold = true
    else if (code === 22) rendition.bold = false
    else if (code === 4) rendition.underline = true
    else if (code === 24) rendition.underline = false
    else if (code === 7) rendition.inverse = true
    else if (code === 27) rendition.inverse = false
    else if (code === 9) rendition.strike = true
    else if (code === 29) rendition.strike = false
    else if (code >= 30 && code <= 37) rendition.foreground = code - 30
    else if (code >= 90 && code <= 97) rendition.foreground = code - 90 + BRIGHT
    else if (code === 39) rendition.foreground = null
    else if (code >= 40 && code <= 47) rendition.background = code - 40
    else if (code >= 100 && code <= 107) rendition.background = code - 100 + BRIGHT
    else if (code === 49) rendition.background = null
    else if (code === 38) rendition.foreground = takeExtendedColour(rest)
    else if (code === 48) rendition.background = takeExtendedColour(rest)
  }
}

/** Bold text gets the bright variant of its colour, as in terminals. */
function getStyleIndexes({ foreground, background, bold, inverse, underline, strike }: Rendition): number[] {
  const text = foreground !== null && foreground < BRIGHT && bold ? foreground + BRIGHT : foreground
  const [front, back] = inverse ? [background ?? BRIGHT + 7, text ?? 0] : [text, background]
  return [
    ...(front === null ? [] : [front]),
    ...(back === null ? [] : [back + BACKGROUND]),
    ...(underline ? [UNDERLINE] : []),
    ...(strike ? [STRIKE] : []),
  ]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
export const hasAnsiStyles = (text: string): boolean => /\x1B\[[\d;:]*m/.test(text)

export function parseAnsi(text: string): { plainText: string; tokens: Tokens } {
  const parts: string[] = []
  const tokens: number[] = []
  const rendition = createPlainRendition()
  let [length, from] = [0, 0]
  const take = (to: number) => {
    if (to === from) return
    for (const style of getStyleIndexes(rendition)) tokens.push(length, length + to - from, style)
    parts.push(text.slice(from, to))
    length += to - from
  }
  for (const match of text.matchAll(SEQUENCE)) {
    take(match.index)
    from = match.index + match[0].length
    if (match[2] === 'm') applyRendition(rendition, match[1] ?? '')
  }
  take(text.length)
  return { plainText: parts.join(''), tokens: new Uint32Array(tokens) }
}
