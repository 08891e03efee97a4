import { FRONT_MATTER } from '../../shared/derive-title.ts'
import { removeEscapeSequences } from '../../shared/escape-sequences.ts'
import { FORMAT_CHARACTERS } from '../../ui/text-facts.ts'

/** UTF-16 units of a line that are looked at. The picture shows fewer. */
const MAX_LINE_UNITS = 1_000

/** Characters that are invisible, have no glyph, or could reverse the text around them. */
const HIDDEN = new RegExp(String.raw`[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|${FORMAT_CHARACTERS}`, 'gu')
/** Marks that no font has, and more on one letter than any language needs: they would cover the lines around. */
const MARKS = /(?![\u0300\u0301\u0303\u0304\u0308\u0309\u0323\u0329])[\u0300-\u036F]|(?<=\p{M}{2})\p{M}/gu
/** The flags of regions, which are spelled in invisible letters. */
const REGION_FLAGS = /(?<=\u{1F3F4})[\u{E0020}-\u{E007F}]+/gu

/** Wide characters take two columns: ideographs, Hangul, kana and emoji. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/u

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Replaces hidden characters by a replacement character. */
export const toVisible = (line: string): string =>
  line
    .slice(0, MAX_LINE_UNITS)
    .replaceAll('\t', '    ')
    .normalize()
    .replaceAll(REGION_FLAGS, '')
    .replaceAll(HIDDEN, '\uFFFD')
    .replaceAll(MARKS, '')

/** The last line may be cut short. */
export function takeLines(text: string, maxLines: number): string[] {
  const lines: string[] = []
  const plain = removeEscapeSequences(text)
  for (let start = 0; start < plain.length && lines.length < maxLines; ) {
    const lineBreak = plain.indexOf('\n', start)
    const end = lineBreak === -1 ? plain.length : lineBreak
    lines.push(toVisible(plain.slice(start, Math.min(end, start + MAX_LINE_UNITS)).replace(/\r$/, '')))
    start = end + 1
  }
  return lines
}

export function countColumns(line: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches ASCII.
  if (/^[\x00-\x7F]*$/.test(line)) return line.length
  let columns = 0
  for (const { segment } of segmenter.segment(line)) columns += WIDE.test(segment) ? 2 : 1
  return columns
}

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
      columns = countColumns(line.slice(start, Math.max(start, index)))
      if (index < start) continue
    }
    columns += width
  }
  return [...parts, { start, end: line.length }]
}

export interface InlineText {
  readonly text: string
  readonly style: 'plain' | 'strong' | 'emphasis' | 'code' | 'link'
}

export type MarkdownBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: InlineText[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly text: InlineText[] }
  | { readonly kind: 'item'; readonly marker: string; readonly depth: number; readonly text: InlineText[] }
  | { readonly kind: 'code'; readonly language: string; readonly lines: string[] }
  | { readonly kind: 'table'; readonly cells: InlineText[][] }
  | { readonly kind: 'rule' }

/** Characters and lines that are looked at, and characters of one block: more than there is room for. */
const MAX_CHARACTERS = 6_000
const MAX_LINES = 300
const MAX_BLOCK_CHARACTERS = 700
const MAX_CELLS = 12

const INLINE =
  /(?<!`)(?<code>`+)(?!`)(?<codeText>[^\n]*?[^`])\k<code>(?!`)|!?\[(?<linkText>[^[\]\n]*)\](?:\([^()\n]*\)|\[[^[\]\n]*\])|<(?<url>https?:[^\s<>]+)>|(?<strong>\*\*|__)(?=\S)(?<strongText>.+?)(?<=\S)\k<strong>|(?<![~])(?<tildes>~~?)(?=[^\s~])(?<struck>[^~\n]*?[^\s~])\k<tildes>(?!~)|(?<![\w*])(?<emphasis>[*_])(?=[^\s*_])(?<emphasisText>[^*_\n]+?)(?<=\S)\k<emphasis>(?!\w)/gs

const removeTags = (text: string): string =>
  text.replaceAll(/<\/?[a-z][^<>]*>/gi, '').replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

/** Drops marks inside of others. */
function parseInline(text: string): InlineText[] {
  const source = text.slice(0, MAX_BLOCK_CHARACTERS)
  const parts: InlineText[] = []
  const add = (added: string, style: InlineText['style']) => {
    if (added !== '') parts.push({ text: added, style })
  }
  let end = 0
  for (const match of source.matchAll(INLINE)) {
    add(removeTags(source.slice(end, match.index)), 'plain')
    end = match.index + match[0].length
    const { codeText, linkText, url, strongText, emphasisText, struck } = match.groups ?? {}
    const flat = (marked: string) =>
      parseInline(marked)
        .map((inner) => inner.text)
        .join('')
    if (codeText !== undefined) add(codeText.trim(), 'code')
    else if (linkText !== undefined) add(flat(linkText), match[0].startsWith('!') ? 'plain' : 'link')
    else if (url !== undefined) add(url, 'link')
    else if (strongText !== undefined) add(flat(strongText), 'strong')
    else if (emphasisText !== undefined) add(flat(emphasisText), 'emphasis')
    else if (struck !== undefined) add(flat(struck), 'plain')
  }
  add(removeTags(source.slice(end)), 'plain')
  return parts
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#-]*)/
const HEADING = /^ {0,3}(#{1,6})(?![^ \t])(.*)/s
const CLOSING_MARKS = /(?<![^ \t])#+$/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(.*)/s
const QUOTE = /^ {0,3}>[ \t]?(.*)$/
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const TABLE_RULE = /^:?-+:?$/

function getMarker(mark: string, check: string | undefined): string {
  if (check !== undefined) return check === ' ' ? '□' : '■'
  return /\d/.test(mark) ? mark.replace(')', '.') : '•'
}

/** It's for a picture, so rare constructs are shown as text. */
export function parseBlocks(source: string, maxBlocks: number): MarkdownBlock[] {
  const lines = source
    .slice(0, MAX_CHARACTERS)
    .replaceAll('\r', '')
    .replace(FRONT_MATTER, '')
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
    .split('\n', MAX_LINES)
    .map((line) => line.slice(0, MAX_BLOCK_CHARACTERS))
  const blocks: MarkdownBlock[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    const text = parseInline(paragraph.map((line) => line.trim()).join(' '))
    paragraph = []
    if (text.some((inner) => inner.text.trim() !== '')) blocks.push({ kind: 'paragraph', text })
  }
  const add = (block: MarkdownBlock) => {
    endParagraph()
    blocks.push(block)
  }
  for (let at = 0; at < lines.length && blocks.length < maxBlocks; at++) {
    const line = lines[at] ?? ''
    const [, fence, language = ''] = FENCE.exec(line) ?? []
    const [, level, heading = ''] = HEADING.exec(line) ?? []
    const [, indent, mark = '', check, item = ''] = ITEM.exec(line) ?? []
    const [, quote] = QUOTE.exec(line) ?? []
    const last = blocks.at(-1)
    if (fence !== undefined) {
      const code: string[] = []
      for (at++; at < lines.length && !(lines[at] ?? '').trimStart().startsWith(fence); at++)
        code.push(lines[at] ?? '')
      add({ kind: 'code', language: language.toLowerCase(), lines: code })
    } else if (paragraph.length === 1 && /^ {0,3}(=+|-{2,})\s*$/.test(line)) {
      const text = parseInline(paragraph[0] ?? '')
      paragraph = []
      blocks.push({ kind: 'heading', level: line.includes('=') ? 1 : 2, text })
    } else if (RULE.test(line)) add({ kind: 'rule' })
    else if (level !== undefined) {
      const text = parseInline(heading.trim().replace(CLOSING_MARKS, '').trimEnd())
      add({ kind: 'heading', level: level.length, text })
    } else if (indent !== undefined) {
      const depth = Math.min(3, Math.floor(indent.length / 2))
      add({ kind: 'item', marker: getMarker(mark, check), depth, text: parseInline(item) })
    } else if (quote !== undefined) {
      const continues = last?.kind === 'quote' && paragraph.length === 0
      if (continues) last.text.push({ text: ' ', style: 'plain' }, ...parseInline(quote))
      else add({ kind: 'quote', text: parseInline(quote) })
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      const cells = line
        .trim()
        .slice(1, -1)
        .split('|', MAX_CELLS)
        .map((cell) => cell.trim())
      if (cells.every((cell) => TABLE_RULE.test(cell))) endParagraph()
      else add({ kind: 'table', cells: cells.map(parseInline) })
    } else if (line.trim() === '') endParagraph()
    // A line without a mark continues the item or quote above.
    else if (
      paragraph.length === 0 &&
      (last?.kind === 'item' || last?.kind === 'quote') &&
      lines[at - 1]?.trim()
    )
      last.text.push({ text: ' ', style: 'plain' }, ...parseInline(line.trim()))
    else paragraph.push(line)
  }
  endParagraph()
  return blocks.slice(0, maxBlocks)
}
