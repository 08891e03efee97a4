/** Only the start of a text is examined, so the time that detection takes doesn't depend on the text's length. */
const MAX_CHARACTERS = 8_192
const MAX_LINES = 160
/** Some patterns take time quadratic in the length of a line. */
const MAX_LINE_CHARACTERS = 160

export interface Sample {
  /** The start of the text, with `\n` as line breaks. */
  readonly start: string
  /** Whether `start` is the whole text. */
  readonly whole: boolean
  /** The lines of the start that aren't blank, each cut to a length. */
  readonly lines: readonly string[]
  /** The lines in one string, with blank ones. */
  readonly text: string
}

/** Terminal colours, which start with ESC. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

/** Returns the part of a text that detection examines, without terminal colours. */
export function takeSample(text: string): Sample {
  const start = text
    .slice(0, MAX_CHARACTERS)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(COLOURS, '')
  const allLines = start.split('\n', MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARACTERS).trimEnd())
  return {
    start: start.trim(),
    whole: text.length <= MAX_CHARACTERS,
    lines: allLines.filter((line) => line !== ''),
    text: allLines.join('\n').replace(/^\n+/, ''),
  }
}
