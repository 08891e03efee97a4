/** Bytes of content that a picture is made from: much more than it has room for. */
export const MAX_PICTURE_BYTES = 16 * 1024
/** UTF-16 units of a line that are looked at. The picture shows fewer. */
const MAX_LINE_UNITS = 1_000

/** Terminal escape sequences. Their colours aren't shown. */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /\x1B(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1B]{0,2048}(?:\x07|\x1B\\)|[@-Z\\^_=>])/g

const JOINED = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\p{M}]|(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L}`
/** Characters that are invisible, have no glyph, or could reverse the text around them. */
const HIDDEN = new RegExp(
  String.raw`[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}|(?<!${JOINED})[\u200C\u200D]`,
  'gu',
)
/** Marks that no font has, and more on one letter than any language needs: they would cover the lines around. */
const MARKS = /(?![\u0300\u0301\u0303\u0304\u0308\u0309\u0323\u0329])[\u0300-\u036F]|(?<=\p{M}{2})\p{M}/gu
/** The flags of regions, which are spelled in invisible letters. */
const REGION_FLAGS = /(?<=\u{1F3F4})[\u{E0020}-\u{E007F}]+/gu

/** Wide characters take two columns: ideographs, Hangul, kana and emoji. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/u

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns a line as it can be drawn: what is hidden becomes a replacement character. */
export const toVisible = (line: string): string =>
  line
    .slice(0, MAX_LINE_UNITS)
    .replaceAll('\t', '    ')
    .normalize()
    .replaceAll(REGION_FLAGS, '')
    .replaceAll(HIDDEN, '\uFFFD')
    .replaceAll(MARKS, '')

/** Returns the lines at the start of a text, as they can be drawn. The last one may be cut short. */
export function takeLines(text: string, maxLines: number): string[] {
  const lines: string[] = []
  const plain = text.replaceAll(ESCAPES, '')
  for (let start = 0; start < plain.length && lines.length < maxLines; ) {
    const lineBreak = plain.indexOf('\n', start)
    const end = lineBreak === -1 ? plain.length : lineBreak
    lines.push(toVisible(plain.slice(start, Math.min(end, start + MAX_LINE_UNITS)).replace(/\r$/, '')))
    start = end + 1
  }
  return lines
}

/** Returns how many columns of a monospaced font a line takes. */
export function getColumns(line: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches ASCII.
  if (/^[\x00-\x7F]*$/.test(line)) return line.length
  let columns = 0
  for (const { segment } of segmenter.segment(line)) columns += WIDE.test(segment) ? 2 : 1
  return columns
}

/** A part of a line, in UTF-16 units. */
export interface LinePart {
  readonly start: number
  readonly end: number
}

/** Splits a line into parts of at most so many columns, at spaces where there are any. */
export function wrapLine(line: string, maxColumns: number, maxParts: number): LinePart[] {
  const parts: LinePart[] = []
  let start = 0
  let columns = 0
  for (const { segment, index } of segmenter.segment(line)) {
    const width = WIDE.test(segment) ? 2 : 1
    if (columns + width > maxColumns) {
      const space = line.lastIndexOf(' ', index)
      const end = space > start + maxColumns / 2 ? space : index
      parts.push({ start, end })
      if (parts.length === maxParts) return parts
      start = line[end] === ' ' ? end + 1 : end
      columns = getColumns(line.slice(start, Math.max(start, index)))
      if (index < start) continue
    }
    columns += width
  }
  return [...parts, { start, end: line.length }]
}
