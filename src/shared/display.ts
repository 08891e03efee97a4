/** Pages show the switch of views before the script that works it has loaded. */
export const RENDERED_VIEW = { name: 'rendered', label: 'Rendered' } as const

/** UTF-16 units of Markdown that can be rendered. More would make the page slow. */
export const MAX_RENDERED = 1024 * 1024

export const SOURCE_LABEL = 'Source'

/** Stored in the cookie `display`, so that the server can render pages as a reader wants them. */
export interface Display {
  readonly wrapped: boolean
  /** In CSS pixels; one of `FONT_SIZES`. */
  readonly fontSize: number
}

export const FONT_SIZES: readonly number[] = [12, 13, 14, 16, 18, 20]

const DEFAULT_FONT_SIZE = 14

export function parseDisplayCookie(cookies: string): Display {
  const [, wrap, size] = /(?:^|;\s*)display=(wrap)?(\d{0,2})\s*(?:;|$)/.exec(cookies) ?? []
  const fontSize = Number(size)
  return {
    wrapped: wrap !== undefined,
    fontSize: FONT_SIZES.includes(fontSize) ? fontSize : DEFAULT_FONT_SIZE,
  }
}

/** Empty for the defaults. */
export const formatDisplayCookie = ({ wrapped, fontSize }: Display): string =>
  `${wrapped ? 'wrap' : ''}${fontSize === DEFAULT_FONT_SIZE ? '' : fontSize}`

export const getDisplayClasses = ({ wrapped, fontSize }: Display): string[] => [
  ...(wrapped ? ['wrapped'] : []),
  ...(fontSize === DEFAULT_FONT_SIZE ? [] : [`size-${fontSize}`]),
]

interface Theme {
  readonly name: string
  readonly label: string
  readonly scheme: 'light dark' | 'light' | 'dark'
  /** The colours of the page's background, `--paper` in the styles: one for each scheme. */
  readonly papers: readonly [string, string?]
}

const LIGHT_PAPER = '#f6f7f5'
const DARK_PAPER = '#0f1413'

/** The colours of all but the first three are in themes.css. */
export const THEMES = [
  { name: 'system', label: 'System', scheme: 'light dark', papers: [LIGHT_PAPER, DARK_PAPER] },
  { name: 'light', label: 'Light', scheme: 'light', papers: [LIGHT_PAPER] },
  { name: 'dark', label: 'Dark', scheme: 'dark', papers: [DARK_PAPER] },
  { name: 'sand', label: 'Sand', scheme: 'light', papers: ['#f5eedc'] },
  { name: 'fjord', label: 'Fjord', scheme: 'dark', papers: ['#222c3a'] },
  { name: 'plum', label: 'Plum', scheme: 'dark', papers: ['#221b2e'] },
  { name: 'contrast', label: 'High contrast', scheme: 'dark', papers: ['#000000'] },
] as const satisfies readonly Theme[]

export type ThemeName = (typeof THEMES)[number]['name']

/** Pages load themes.css only for these themes. */
export const isNamedTheme = (theme: ThemeName): boolean => !['system', 'light', 'dark'].includes(theme)

const THEME_COOKIE = new RegExp(`(?:^|;\\s*)theme=(${THEMES.map(({ name }) => name).join('|')})\\s*(?:;|$)`)

/** `system` if the cookies choose none. */
export const parseThemeCookie = (cookies: string): ThemeName =>
  (THEME_COOKIE.exec(cookies)?.[1] as ThemeName | undefined) ?? 'system'

/** For the colour that the browser paints before the stylesheet loads, and around the page. */
export function getThemeColors(theme: ThemeName): { name: 'theme-color'; content: string; media: string }[] {
  const papers: readonly string[] = THEMES.find(({ name }) => name === theme)?.papers ?? []
  const schemes =
    papers.length > 1 ? ['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'] : ['all']
  return schemes.map((media, index) => ({ name: 'theme-color', content: papers[index] ?? '', media }))
}
