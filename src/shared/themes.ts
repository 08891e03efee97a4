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

/** Returns `system` if the cookies choose none. */
export const parseThemeCookie = (cookies: string): ThemeName =>
  (THEME_COOKIE.exec(cookies)?.[1] as ThemeName | undefined) ?? 'system'

/** Returns the content of a meta tag, which picks the light or the dark value of each colour. */
export const getColorScheme = (theme: ThemeName): string =>
  THEMES.find(({ name }) => name === theme)?.scheme ?? 'light dark'

/** The browser paints it before the stylesheet loads, and around the page. */
export function getThemeColors(theme: ThemeName): { name: 'theme-color'; content: string; media: string }[] {
  const papers: readonly string[] = THEMES.find(({ name }) => name === theme)?.papers ?? []
  const schemes =
    papers.length > 1 ? ['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'] : ['all']
  return schemes.map((media, index) => ({ name: 'theme-color', content: papers[index] ?? '', media }))
}
