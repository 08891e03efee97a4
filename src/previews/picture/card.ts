import type { ContainerNode, Node, TextNode } from '@takumi-rs/wasm'
import type { Site } from '../../config.ts'
import { toVisible } from './markdown-blocks.ts'
import { PALETTES, type Palette } from './palette.ts'

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
  /** The number of lines, or of bytes if the lines aren't counted. */
  readonly length: string
  readonly host: string
  /** The site's name, and the icon beside it. */
  readonly site: { readonly name: string; readonly icon: SiteIcon }
}

/** A data URL of the icon. `mark` stands for Regent's own, and null for an icon that can't be drawn. */
export type SiteIcon = string | 'mark' | null

export const PANEL = { width: 1048, height: 398, paddingX: 32, paddingY: 26 } as const

const ellipsis = { whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' } as const

/** Regent's mark, as in favicon.svg. */
function drawMark({ accent, brass }: Pick<Palette, 'accent' | 'brass'>, size: number): Node {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="5 5 22 22"><path d="M8 20 6 8.5l5.5 5L16 6l4.5 7.5 5.5-5L24 20z" fill="${accent}"/><path d="M8 22h16v4H8z" fill="${brass}"/></svg>`
  const src = `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`
  return {
    type: 'image',
    src,
    width: size,
    height: size,
    style: { width: size, height: size, color: accent },
  }
}

const drawIcon = (icon: SiteIcon, colours: Pick<Palette, 'accent' | 'brass'>, size: number): Node[] => {
  if (icon === null) return []
  if (icon === 'mark') return [drawMark(colours, size)]
  const style = { width: size, height: size, objectFit: 'contain' } as const
  return [{ type: 'image', src: icon, width: size, height: size, style }]
}

/** Draws the preview picture of the site itself. */
export const drawSite = ({ name, accent }: Site, icon: SiteIcon): Node =>
  box(
    {
      width: '100%',
      height: '100%',
      backgroundColor: accent?.light.accent ?? PALETTES.light.accent,
      alignItems: 'center',
      justifyContent: 'center',
      gap: 24,
      padding: '0 60px',
      fontFamily: 'Sans',
      color: '#ffffff',
    },
    [
      ...drawIcon(icon, { accent: '#ffffff', brass: '#f2c65f' }, 180),
      label(toVisible(name), { fontSize: name.length > 20 ? 64 : 104, fontWeight: 700, textAlign: 'center' }),
      label('Share text by link', { fontSize: 40 }),
    ],
  )

const drawFooter = (palette: Palette, { author, length, host, site }: PictureFacts): Node => {
  const facts = [...(author === null ? [] : [`by ${author}`]), length]
  const { ink, muted } = palette
  const small = { fontSize: 24, ...ellipsis }
  return row({ alignItems: 'center', height: 40, marginTop: 20, gap: 12 }, [
    ...drawIcon(site.icon, palette, 36),
    label(toVisible(site.name), { ...small, fontWeight: 700, color: ink, maxWidth: 420 }),
    label(toVisible(host), { ...small, color: muted, maxWidth: 420 }),
    box({ flexGrow: 1 }),
    label(toVisible(facts.join(' · ')), { ...small, color: muted, maxWidth: 420 }),
  ])
}

export function drawCard(palette: Palette, facts: PictureFacts, content: readonly Node[]): Node {
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
