import type { ContainerNode, Node, TextNode } from '@takumi-rs/wasm'
import { toVisible } from './markdown-blocks.ts'
import type { Palette } from './palette.ts'

type Style = NonNullable<ContainerNode['style']>

export const box = (style: Style, children: Node[] = []): ContainerNode => ({
  type: 'container',
  style: { display: 'flex', flexDirection: 'column', flexShrink: 0, ...style },
  children,
})

export const row = (style: Style, children: Node[]): ContainerNode =>
  box({ flexDirection: 'row', ...style }, children)

export const label = (text: string, style: Style): TextNode => ({ type: 'text', text, style })

export const inline = (style: Style, children: Node[]): ContainerNode => ({
  type: 'container',
  style: { display: 'block', ...style },
  children: children.length > 0 ? children : [label(' ', { display: 'inline' })],
})

export const part = (text: string, style: Style): TextNode => label(text, { display: 'inline', ...style })

export interface PictureFacts {
  readonly title: string
  readonly language: string
  readonly author: string | null
  /** Its lines, or its bytes if the lines aren't counted. */
  readonly length: string
  readonly host: string
}

export const PANEL = { width: 1048, height: 398, paddingX: 32, paddingY: 26 } as const

const ellipsis = { whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' } as const

/** The mark, as in favicon.svg. */
const drawMark = ({ accent, brass }: Palette): string =>
  `data:image/svg+xml;utf8,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="5 5 22 22"><path d="M8 20 6 8.5l5.5 5L16 6l4.5 7.5 5.5-5L24 20z" fill="${accent}"/><path d="M8 22h16v4H8z" fill="${brass}"/></svg>`,
  )}`

const drawFooter = (palette: Palette, { author, length, host }: PictureFacts): Node => {
  const facts = [...(author === null ? [] : [`by ${author}`]), length]
  const { accent, ink, muted } = palette
  const small = { fontSize: 24, ...ellipsis }
  return row({ alignItems: 'center', height: 40, marginTop: 20, gap: 12 }, [
    {
      type: 'image',
      src: drawMark(palette),
      width: 36,
      height: 36,
      style: { width: 36, height: 36, color: accent },
    },
    label('Regent', { ...small, fontWeight: 700, color: ink }),
    label(toVisible(host), { ...small, color: muted, maxWidth: 420 }),
    box({ flexGrow: 1 }),
    label(toVisible(facts.join(' · ')), { ...small, color: muted, maxWidth: 420 }),
  ])
}

export function drawFrame(palette: Palette, facts: PictureFacts, content: readonly Node[]): Node {
  const { ink, line, muted, paper, sheet } = palette
  return box(
    {
      width: '100%',
      height: '100%',
      backgroundColor: paper,
      padding: '30px 44px 24px',
      fontFamily: 'Sans',
      color: ink,
    },
    [
      row({ alignItems: 'center', justifyContent: 'space-between', height: 50, marginBottom: 16, gap: 24 }, [
        label(toVisible(facts.title), {
          fontSize: 38,
          fontWeight: 700,
          letterSpacing: '-0.015em',
          flexShrink: 1,
          ...ellipsis,
        }),
        label(toVisible(facts.language), {
          fontSize: 24,
          color: muted,
          maxWidth: 360,
          flexShrink: 0,
          ...ellipsis,
        }),
      ]),
      box(
        {
          height: PANEL.height + 2 * PANEL.paddingY,
          backgroundColor: sheet,
          border: `2px solid ${line}`,
          borderRadius: 16,
          overflow: 'hidden',
          position: 'relative',
        },
        [
          box(
            {
              height: '100%',
              padding: `${PANEL.paddingY}px ${PANEL.paddingX}px 0`,
              overflow: 'hidden',
            },
            [...content],
          ),
        ],
      ),
      drawFooter(palette, facts),
    ],
  )
}

export const drawFade = ({ sheet }: Palette, edge: 'bottom' | 'right'): Node =>
  box({
    position: 'absolute',
    right: 0,
    bottom: 0,
    ...(edge === 'bottom' ? { left: 0, height: 90 } : { top: 0, width: 110 }),
    backgroundImage: `linear-gradient(to ${edge}, ${sheet}00, ${sheet})`,
  })
