import type { Node } from '@takumi-rs/wasm'
import { findLanguage } from '../../../shared/languages/languages.ts'
import { drawFade, drawFrame, PANEL, type PictureFacts } from './frame.ts'
import { highlightLines } from './highlight.ts'
import { type Block, type InlineText, parseBlocks } from './markdown-blocks.ts'
import { box, inline, label, part, row } from './nodes.ts'
import type { Palette } from './palette.ts'
import { takeLines, toVisible } from './picture-text.ts'

/** More blocks than a picture has room for. */
const MAX_BLOCKS = 24
const MAX_CODE_LINES = 14
const SIZE = 27
const CODE_SIZE = 24
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

function drawCodeBlock({ language, lines }: Extract<Block, { kind: 'code' }>, palette: Palette): Node {
  const font = { fontFamily: 'Mono', fontSize: CODE_SIZE, lineHeight: '34px', whiteSpace: 'pre' } as const
  const rows = highlightLines(
    takeLines(lines.join('\n'), MAX_CODE_LINES),
    findLanguage(language)?.name ?? 'plaintext',
  )
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

function drawBlock(block: Block, palette: Palette): Node {
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

interface MarkdownCard {
  readonly text: string
  readonly facts: PictureFacts
  readonly palette: Palette
}

/** Estimates the height of a block: only whether the blocks fill the panel depends on it. */
function estimateHeight(block: Block): number {
  if (block.kind === 'code') return Math.min(block.lines.length, MAX_CODE_LINES) * 34 + 44
  if (block.kind === 'rule') return 36
  if (block.kind === 'table') return LINE + 10
  const characters = block.text.reduce((sum, { text }) => sum + text.length, 0)
  const lineCount = Math.max(1, Math.ceil((characters * SIZE * 0.5) / PANEL.width))
  return lineCount * (block.kind === 'heading' ? 52 : LINE) + 14
}

/** Draws the start of a Markdown text as the site renders it. */
export function drawMarkdown({ text, facts, palette }: MarkdownCard): Node {
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
  const content = shown.map((block) => drawBlock(block, palette))
  return drawFrame(palette, facts, [
    ...content,
    ...(height > PANEL.height ? [drawFade(palette, 'bottom')] : []),
  ])
}
