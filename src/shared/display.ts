/** Pages show the switch of views before the script that works it has loaded. */
export const RENDERED_VIEW = { name: 'rendered', label: 'Rendered' } as const

export const TABLE_VIEW = { name: 'table', label: 'Table' } as const

export const TREE_VIEW = { name: 'tree', label: 'Tree' } as const

export const TERMINAL_VIEW = { name: 'terminal', label: 'Terminal' } as const

/** Of a text with escape sequences, in place of its language. */
export const TERMINAL_LABEL = 'Terminal output'

/** UTF-16 units of Markdown that can be rendered. More would make the page slow. */
export const MAX_RENDERED = 1024 * 1024

export const SOURCE_LABEL = 'Source'

/** Stored in the cookie `display`, so that the server can render pages as a reader wants them. */
export type Display = ReturnType<typeof parseDisplayCookie>

export const FONT_SIZES: readonly number[] = [12, 13, 14, 16, 18, 20]

const DEFAULT_FONT_SIZE = 14

export function parseDisplayCookie(cookies: string) {
  const [, wrap, size] = /(?:^|;\s*)display=(wrap)?(\d{0,2})\s*(?:;|$)/.exec(cookies) ?? []
  const fontSize = Number(size)
  return {
    wrapped: wrap !== undefined,
    /** In CSS pixels; one of `FONT_SIZES`. */
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
