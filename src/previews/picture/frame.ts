import type { ContainerNode, Node, TextNode } from '@takumi-rs/wasm'
import type { Site } from '../../config.ts'
import { toVisible } from './markdown-blocks.ts'

export type PictureTheme = 'light' | 'dark'

/** The light and dark colours of a picture: those of tokens.css, which a test compares. */
const COLOURS = {
  paper: ['#f6f7f5', '#0f1413'],
  sheet: ['#ffffff', '#161c1b'],
  sunken: ['#eef0ec', '#0a0e0d'],
  ink: ['#16201d', '#e4e9e6'],
  muted: ['#55615c', '#9ba7a2'],
  line: ['#e0e4de', '#28312e'],
  accent: ['#0f6a51', '#6fd3ac'],
  brass: ['#b67f17', '#e8bd5c'],
  danger: ['#a81f2d', '#ff9c98'],
  'code-comment': ['#59616c', '#a2abb7'],
  'code-keyword': ['#861d75', '#e6a6df'],
  'code-string': ['#1a6129', '#a3dba3'],
  'code-number': ['#824200', '#f2b780'],
  'code-type': ['#005a70', '#86d4e2'],
  'code-name': ['#1d4b9c', '#a3c5ff'],
  'code-definition': ['#5632a8', '#c9b6ff'],
  'code-tag': ['#9b1e2a', '#ffa5a5'],
  'code-meta': ['#655000', '#dccb82'],
} as const

export type Colour = keyof typeof COLOURS

export type Palette = Readonly<Record<Colour, string>>

const select = (theme: 0 | 1) =>
  Object.fromEntries(Object.entries(COLOURS).map(([name, colours]) => [name, colours[theme]])) as Palette

export const PALETTES: Readonly<Record<PictureTheme, Palette>> = { light: select(0), dark: select(1) }

export const getPalette = (theme: PictureTheme, { accent }: Pick<Site, 'accent'>): Palette =>
  accent === null ? PALETTES[theme] : { ...PALETTES[theme], accent: accent[theme].accent }

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
  /** Its name, and what stands beside it. */
  readonly site: { readonly name: string; readonly icon: SiteIcon }
}

/** A data URL; `mark` is Regent's own. Null if the site's own icon can't be drawn. */
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

/** The picture of the site itself, as in scripts/icons.ts. */
export const drawSite = ({ name, accent }: Site, icon: SiteIcon): Node =>
  box(
    {
      width: '100%',
      height: '100%',
      backgroundColor: accent?.light.accent ?? COLOURS.accent[0],
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
