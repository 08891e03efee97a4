import type { Site } from '../../config.ts'

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
