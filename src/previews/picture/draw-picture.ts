import type { Node } from '@takumi-rs/wasm'
import { findLanguage } from '../../shared/languages.ts'
import { MAX_PICTURED_LINES } from '../../shared/lines.ts'
import { box, drawCard, drawFade, inline, label, PANEL, type PictureFacts, part, row } from './card.ts'
import { highlightLines, MAX_COLOURED_UNITS, type Span, sliceSpans } from './highlight.ts'
import {
  countColumns,
  type InlineText,
  type LinePart,
  type MarkdownBlock,
  parseBlocks,
  takeLines,
  toVisible,
  wrapLine,
} from './markdown-blocks.ts'
import type { Palette } from './palette.ts'
import { type PictureSize, renderPicture } from './renderer.ts'

/** Width of a character of the font by its size. */
const ADVANCE = 0.5859
const LINE_HEIGHT = 1.36

/** The sizes go from the largest, for a few short lines, to the smallest that can be read where pictures are small. */
const MIN_SIZE = 24
const SIZES = [40, 34, 30, 27, MIN_SIZE] as const

type Layout = ReturnType<typeof getLayout>

const getLayout = (size: number, gutterColumns: number) => ({
  size,
  rows: Math.floor(PANEL.height / (size * LINE_HEIGHT)),
  columns: Math.floor(PANEL.width / (size * ADVANCE)) - gutterColumns,
})

interface TextRow extends LinePart {
  readonly line: number
}

/** Returns one row more than there is room for if there is more text. */
function toRows(lines: readonly string[], { rows, columns }: Layout, wraps: boolean): TextRow[] {
  return lines
    .flatMap((line, index) =>
      (wraps ? wrapLine(line, columns, rows + 1) : [{ start: 0, end: line.length }]).map((part) => ({
        ...part,
        line: index,
      })),
    )
    .slice(0, rows + 1)
}

/** Returns the lines up to where rows show them. */
const cutLines = (lines: readonly string[], rows: readonly TextRow[]): string[] =>
  lines.map((text, line) => text.slice(0, rows.findLast((row) => row.line === line)?.end ?? 0))

const getRowColumns = (lines: readonly string[], { line, start, end }: TextRow): number =>
  countColumns(lines[line]?.slice(start, end) ?? '')

function layOut(
  lines: readonly string[],
  gutterColumns: number,
  wraps: boolean,
): { layout: Layout; rows: TextRow[] } {
  for (const size of SIZES) {
    const layout = getLayout(size, gutterColumns)
    const rows = toRows(lines, layout, wraps)
    const fits =
      rows.length <= layout.rows && rows.every((row) => getRowColumns(lines, row) <= layout.columns)
    if (fits || size === MIN_SIZE) return { layout, rows }
  }
  throw new Error('there is no size')
}

interface RowsStyle {
  readonly size: number
  readonly palette: Palette
  /** How many digits the numbers of lines have; 0 for no numbers. */
  readonly digits: number
  readonly firstLine?: number
}

function drawRows(
  rows: readonly TextRow[],
  spans: readonly (readonly Span[])[],
  { size, palette, digits, firstLine = 1 }: RowsStyle,
): Node[] {
  const height = size * LINE_HEIGHT
  const font = { fontFamily: 'Mono', fontSize: size, lineHeight: `${height}px`, whiteSpace: 'pre' } as const
  const drawNumber = (number: string) =>
    inline({ ...font, color: palette.muted, opacity: 0.7 }, [part(`${number.padStart(digits)}  `, font)])
  return rows.map(({ line, start, end }) => {
    const shown = sliceSpans(spans[line] ?? [], start, end)
    return row({ height, overflow: 'visible' }, [
      ...(digits > 0 ? [drawNumber(start === 0 ? String(firstLine + line) : '')] : []),
      inline(
        { ...font, height },
        shown.map(({ text, colour }) => part(text, { ...font, color: palette[colour] })),
      ),
    ])
  })
}

interface Picture {
  readonly text: string
  readonly isCut: boolean
  /** The name of a language that the site knows. */
  readonly language: string
  readonly palette: Palette
  readonly facts: PictureFacts
}

function drawCode({ text, isCut, language, facts }: Picture, palette: Palette): Node {
  const maxRows = getLayout(MIN_SIZE, 0).rows
  const lines = takeLines(text, maxRows + 1)
  const isProse = language === 'plaintext'
  // A text of a few long lines would leave most of the picture empty.
  const wraps = isProse || lines.length <= 4
  const digits = isProse ? 0 : Math.max(2, String(Math.min(lines.length, maxRows)).length)
  const { layout, rows } = layOut(lines, isProse ? 0 : digits + 2, wraps)
  const shown = rows.slice(0, layout.rows)
  // Of a line that doesn't wrap, a few more than there is room for fade out.
  const getEnd = ({ start, end }: TextRow) => (wraps ? end : Math.min(end, start + layout.columns + 4))
  const visible = shown.map((row) => ({ ...row, end: getEnd(row) }))
  const isCutBelow = isCut || rows.length > shown.length
  const isCutRight = shown.some((row) => getRowColumns(lines, row) > layout.columns)
  return drawCard(palette, facts, [
    ...drawRows(visible, highlightLines(cutLines(lines, visible), language), {
      size: layout.size,
      palette,
      digits,
    }),
    ...(isCutRight ? [drawFade(palette, 'right')] : []),
    ...(isCutBelow ? [drawFade(palette, 'bottom')] : []),
  ])
}

/** Twelve of the lowest blocks, which are rules, fill the panel. A heading that repeats the title isn't shown. */
const MAX_BLOCKS = 13
/** Texts in the blocks: more than there is room for. Each takes a tenth of a millisecond to draw. */
const MAX_TEXTS = 600
const MAX_CODE_LINES = 14
const SIZE = 27
const CODE_SIZE = 24
const CODE_COLUMNS = Math.ceil(PANEL.width / (CODE_SIZE * ADVANCE))
const LINE = 40

const HEADING_SIZES: readonly number[] = [42, 36, 31, 28]

const drawInline = (texts: readonly InlineText[], palette: Palette): Node[] =>
  texts.map(({ text, style }) => {
    const visible = toVisible(text)
    switch (style) {
      case 'plain':
        return part(visible, {})
      case 'strong':
        return part(visible, { fontWeight: 700 })
      case 'emphasis':
        return part(visible, { fontStyle: 'italic' })
      case 'link':
        return part(visible, { color: palette.accent, textDecoration: 'underline' })
      case 'code':
        return part(visible, { fontFamily: 'Mono', fontSize: '0.92em', backgroundColor: palette.sunken })
    }
    return style satisfies never
  })

function drawCodeBlock(
  { language, lines }: Extract<MarkdownBlock, { kind: 'code' }>,
  palette: Palette,
): Node {
  const font = { fontFamily: 'Mono', fontSize: CODE_SIZE, lineHeight: '34px', whiteSpace: 'pre' } as const
  const shown = takeLines(lines.join('\n'), MAX_CODE_LINES).map((line) => line.slice(0, CODE_COLUMNS))
  const rows = highlightLines(shown, findLanguage(language)?.name ?? 'plaintext')
  return box(
    {
      backgroundColor: palette.sunken,
      borderRadius: 8,
      padding: '14px 18px',
      marginBottom: 16,
      overflow: 'hidden',
    },
    rows.map((spans) =>
      inline(
        { ...font, height: 34 },
        spans.map(({ text, colour }) => part(text, { ...font, color: palette[colour] })),
      ),
    ),
  )
}

function drawBlock(block: MarkdownBlock, palette: Palette): Node {
  const font = { fontSize: SIZE, lineHeight: `${LINE}px`, wordBreak: 'break-word' } as const
  switch (block.kind) {
    case 'heading': {
      const size = HEADING_SIZES[block.level - 1] ?? 28
      const style = { fontSize: size, lineHeight: `${size * 1.25}px`, fontWeight: 700, marginBottom: 14 }
      return inline({ ...style, wordBreak: 'break-word' }, drawInline(block.text, palette))
    }
    case 'paragraph':
      return inline({ ...font, marginBottom: 16 }, drawInline(block.text, palette))
    case 'quote':
      return row({ marginBottom: 16, borderLeft: `5px solid ${palette.line}`, paddingLeft: 18 }, [
        inline({ ...font, color: palette.muted, flexShrink: 1 }, drawInline(block.text, palette)),
      ])
    case 'item':
      return row({ marginBottom: 6, paddingLeft: block.depth * 34, gap: 14 }, [
        label(block.marker, { ...font, color: palette.muted, minWidth: 20, flexShrink: 0 }),
        inline({ ...font, flexShrink: 1 }, drawInline(block.text, palette)),
      ])
    case 'table':
      return row(
        { borderBottom: `2px solid ${palette.line}`, padding: '4px 0', gap: 20 },
        block.cells.map((cell) =>
          inline({ ...font, flexGrow: 1, flexShrink: 1, flexBasis: 0 }, drawInline(cell, palette)),
        ),
      )
    case 'code':
      return drawCodeBlock(block, palette)
    case 'rule':
      return box({ height: 2, backgroundColor: palette.line, margin: '10px 0 24px' })
  }
  return block satisfies never
}

/** Estimates the height of a block, which only decides whether the blocks fill the panel. */
function estimateHeight(block: MarkdownBlock): number {
  if (block.kind === 'code') return Math.min(block.lines.length, MAX_CODE_LINES) * 34 + 44
  if (block.kind === 'rule') return 36
  if (block.kind === 'table') return LINE + 10
  const characters = block.text.reduce((sum, { text }) => sum + text.length, 0)
  const lineCount = Math.max(1, Math.ceil((characters * SIZE * 0.5) / PANEL.width))
  return lineCount * (block.kind === 'heading' ? 52 : LINE) + 14
}

/** Leaves out what comes after so many texts. */
function limitTexts(nodes: readonly Node[], maxTexts: number): Node[] {
  let left = maxTexts
  const limit = (node: Node): Node[] => {
    if (left <= 0) return []
    if (node.type === 'container') return [{ ...node, children: (node.children ?? []).flatMap(limit) }]
    left -= 1
    return [node]
  }
  return nodes.flatMap(limit)
}

function drawMarkdown({ text, facts }: Picture, palette: Palette): Node {
  const blocks = parseBlocks(text, MAX_BLOCKS)
  // The title is above the panel already.
  const [first] = blocks
  const repeats =
    first?.kind === 'heading' &&
    first.text
      .map((inner) => inner.text)
      .join('')
      .trim() === facts.title
  const shown = repeats ? blocks.slice(1) : blocks
  const height = shown.reduce((sum, block) => sum + estimateHeight(block), 0)
  const content = limitTexts(
    shown.map((block) => drawBlock(block, palette)),
    MAX_TEXTS,
  )
  return drawCard(palette, facts, [
    ...content,
    ...(height > PANEL.height ? [drawFade(palette, 'bottom')] : []),
  ])
}

const LINES_SIZE = 24
const MAX_LINES_COLUMNS = 100
/** How many rows a picture of lines has. Long lines take several. */
const MAX_LINES_ROWS = 50
const LINES_MARGIN = 44
const LINES_PADDING = 32
const LINES_BORDER = 2

/** Returns as many of the last lines as have at most so many UTF-16 units. */
function takeLast(lines: readonly string[], maxUnits: number): readonly string[] {
  let first = lines.length
  for (let units = 0; first > 0; first -= 1) {
    units += (lines[first - 1] ?? '').length + 1
    if (units > maxUnits) break
  }
  return lines.slice(first)
}

interface SelectedLines {
  /** Has lines before the first one, so that a comment or a string that begins there has its colour. */
  readonly text: string
  readonly linesBefore: number
  /** The number of the first line of the picture, in its text. */
  readonly firstLine: number
  readonly language: string
  readonly palette: Palette
}

/** The picture is as large as the lines, with a margin. @throws like `drawPicture`. */
export async function drawLines(
  assets: Fetcher,
  { text, linesBefore, firstLine, language, palette }: SelectedLines,
): Promise<Uint8Array<ArrayBuffer>> {
  const all = takeLines(text, linesBefore + MAX_PICTURED_LINES + 1)
  const lines = all.slice(linesBefore)
  const layout = { size: LINES_SIZE, rows: MAX_LINES_ROWS, columns: MAX_LINES_COLUMNS }
  const rows = toRows(lines, layout, true).filter(({ line }) => line < MAX_PICTURED_LINES)
  const shown = rows.slice(0, MAX_LINES_ROWS)
  const coloured = cutLines(lines, shown)
  const unitsLeft = MAX_COLOURED_UNITS - coloured.join('\n').length
  const before = takeLast(all.slice(0, linesBefore), unitsLeft)
  const spans = highlightLines([...before, ...coloured], language).slice(before.length)
  const digits = Math.max(2, String(firstLine + lines.length).length)
  const columns = Math.max(24, ...shown.map((row) => getRowColumns(lines, row))) + digits + 2
  const around = 2 * (LINES_MARGIN + LINES_PADDING + LINES_BORDER)
  const size: PictureSize = {
    width: Math.ceil(columns * LINES_SIZE * ADVANCE) + around,
    height: Math.ceil(shown.length * LINES_SIZE * LINE_HEIGHT) + around,
  }
  const card = box(
    {
      flexGrow: 1,
      position: 'relative',
      overflow: 'hidden',
      backgroundColor: palette.sheet,
      border: `${LINES_BORDER}px solid ${palette.line}`,
      borderRadius: 16,
      padding: LINES_PADDING,
    },
    [
      ...drawRows(shown, spans, { size: LINES_SIZE, palette, digits, firstLine }),
      ...(rows.length > shown.length || lines.length > MAX_PICTURED_LINES
        ? [drawFade(palette, 'bottom')]
        : []),
    ],
  )
  const page = { width: '100%', height: '100%', backgroundColor: palette.paper, padding: LINES_MARGIN }
  return renderPicture(assets, box({ ...page, fontFamily: 'Mono', color: palette.ink }, [card]), size)
}

export function layOutPicture(picture: Picture): Node {
  const draw = picture.language === 'markdown' ? drawMarkdown : drawCode
  return draw(picture, picture.palette)
}

/** @throws Error if the renderer or a font can't be loaded, or the renderer fails. */
export const drawPicture = (assets: Fetcher, picture: Picture): Promise<Uint8Array<ArrayBuffer>> =>
  renderPicture(assets, layOutPicture(picture))
