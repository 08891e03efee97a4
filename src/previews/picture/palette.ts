export type PictureTheme = 'light' | 'dark'

/** The colours of a picture: those of tokens.css, which a test compares. */
export interface Palette {
  readonly paper: string
  readonly sheet: string
  readonly sunken: string
  readonly ink: string
  readonly muted: string
  readonly line: string
  readonly accent: string
  readonly brass: string
  readonly danger: string
  readonly 'code-comment': string
  readonly 'code-keyword': string
  readonly 'code-string': string
  readonly 'code-number': string
  readonly 'code-type': string
  readonly 'code-name': string
  readonly 'code-definition': string
  readonly 'code-tag': string
  readonly 'code-meta': string
}

export type Colour = keyof Palette

export const PALETTES: Readonly<Record<PictureTheme, Palette>> = {
  light: {
    paper: '#f6f7f5',
    sheet: '#ffffff',
    sunken: '#eef0ec',
    ink: '#16201d',
    muted: '#55615c',
    line: '#e0e4de',
    accent: '#0f6a51',
    brass: '#b67f17',
    danger: '#a81f2d',
    'code-comment': '#59616c',
    'code-keyword': '#861d75',
    'code-string': '#1a6129',
    'code-number': '#824200',
    'code-type': '#005a70',
    'code-name': '#1d4b9c',
    'code-definition': '#5632a8',
    'code-tag': '#9b1e2a',
    'code-meta': '#655000',
  },
  dark: {
    paper: '#0f1413',
    sheet: '#161c1b',
    sunken: '#0a0e0d',
    ink: '#e4e9e6',
    muted: '#9ba7a2',
    line: '#28312e',
    accent: '#6fd3ac',
    brass: '#e8bd5c',
    danger: '#ff9c98',
    'code-comment': '#a2abb7',
    'code-keyword': '#e6a6df',
    'code-string': '#a3dba3',
    'code-number': '#f2b780',
    'code-type': '#86d4e2',
    'code-name': '#a3c5ff',
    'code-definition': '#c9b6ff',
    'code-tag': '#ffa5a5',
    'code-meta': '#dccb82',
  },
}
