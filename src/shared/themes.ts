interface Theme {
  readonly name: string
  readonly label: string
  readonly scheme: 'light dark' | 'light' | 'dark'
}

/** The themes of the site. The colours of all but the first three are in themes.css. */
export const THEMES = [
  { name: 'system', label: 'System', scheme: 'light dark' },
  { name: 'light', label: 'Light', scheme: 'light' },
  { name: 'dark', label: 'Dark', scheme: 'dark' },
  { name: 'sand', label: 'Sand', scheme: 'light' },
  { name: 'fjord', label: 'Fjord', scheme: 'dark' },
  { name: 'plum', label: 'Plum', scheme: 'dark' },
  { name: 'contrast', label: 'High contrast', scheme: 'dark' },
] as const satisfies readonly Theme[]

export type ThemeName = (typeof THEMES)[number]['name']

/** Returns true if a theme's colours are in themes.css, which pages load only then. */
export const isNamedTheme = (theme: ThemeName): boolean => !['system', 'light', 'dark'].includes(theme)

const THEME_COOKIE = new RegExp(`(?:^|;\\s*)theme=(${THEMES.map(({ name }) => name).join('|')})\\s*(?:;|$)`)

/** Returns the theme that a cookie header chooses; `system` if it chooses none. */
export const parseThemeCookie = (cookies: string): ThemeName =>
  (THEME_COOKIE.exec(cookies)?.[1] as ThemeName | undefined) ?? 'system'
