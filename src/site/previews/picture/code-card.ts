import type { Node } from '@takumi-rs/wasm'
import { drawFade, drawFrame, PANEL, type PictureFacts } from './frame.ts'
import { highlightLines, type Span, sliceSpans } from './highlight.ts'
import { inline, part, row } from './nodes.ts'
import type { Palette } from './palette.ts'
import { getColumns, type LinePart, takeLines, wrapLine } from './picture-text.ts'

/** Width of a character of the font by its size. */
const ADVANCE = 0.5859
const LINE_HEIGHT = 1.36

/** From the largest size, for a few short lines, to the smallest that can be read where pictures are small. */
const MIN_SIZE = 24
const SIZES = [40, 34, 30, 27, MIN_SIZE] as const

interface Layout {
  readonly size: number
  readonly rows: number
  readonly columns: number
}

const getLayout = (size: number, gutterColumns: number): Layout => ({
  size,
  rows: Math.floor(PANEL.height / (size * LINE_HEIGHT)),
  columns: Math.floor(PANEL.width / (size * ADVANCE)) - gutterColumns,
})

/** One row of a picture: a line of the text, or a part of it. */
interface TextRow extends LinePart {
  /** The index of its line. */
  readonly line: number
}

/** Splits lines into rows, one more than there is room for if there is more text. */
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

const getRowColumns = (lines: readonly string[], { line, start, end }: TextRow): number =>
  getColumns(lines[line]?.slice(start, end) ?? '')

/** Chooses the largest size in which all rows fit, or else the smallest. */
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

const drawRow = (
  spans: readonly Span[],
  number: string | null,
  { size, palette }: { size: number; palette: Palette },
): Node => {
  const height = size * LINE_HEIGHT
  const font = { fontFamily: 'Mono', fontSize: size, lineHeight: `${height}px`, whiteSpace: 'pre' } as const
  return row({ height, overflow: 'visible' }, [
    ...(number === null
      ? []
      : [inline({ ...font, color: palette.muted, opacity: 0.7 }, [part(number, font)])]),
    inline(
      { ...font, height },
      spans.map(({ text, colour }) => part(text, { ...font, color: palette[colour] })),
    ),
  ])
}

interface CodeCard {
  readonly text: string
  /** Whether there is more text than this. */
  readonly isCut: boolean
  /** One of our languages. */
  readonly language: string
  readonly facts: PictureFacts
  readonly palette: Palette
}

/** Draws the start of a text in a monospaced font, in the colours of its language. */
export function drawCode({ text, isCut, language, facts, palette }: CodeCard): Node {
  const maxRows = getLayout(MIN_SIZE, 0).rows
  const lines = takeLines(text, maxRows + 1)
  const isProse = language === 'plaintext'
  // A text of a few long lines would leave most of the picture empty.
  const wraps = isProse || lines.length <= 4
  const gutter = isProse ? 0 : Math.max(2, String(Math.min(lines.length, maxRows)).length) + 2
  const { layout, rows } = layOut(lines, gutter, wraps)
  const shown = rows.slice(0, layout.rows)
  const spans = highlightLines(lines, language)
  const isCutBelow = isCut || rows.length > shown.length
  const isCutRight = shown.some((row) => getRowColumns(lines, row) > layout.columns)
  return drawFrame(palette, facts, [
    ...shown.map(({ line, start, end }) => {
      const number = start === 0 ? String(line + 1) : ''
      return drawRow(
        // A few more than there is room for fade out.
        sliceSpans(spans[line] ?? [], start, Math.min(end, start + layout.columns + 4)),
        isProse ? null : `${number.padStart(gutter - 2)}  `,
        { size: layout.size, palette },
      )
    }),
    ...(isCutRight ? [drawFade(palette, 'right')] : []),
    ...(isCutBelow ? [drawFade(palette, 'bottom')] : []),
  ])
}
