/** How a reader wants texts displayed. Stored in the cookie `display`, so that the server can render pages this way. */
export interface Display {
  readonly wrapped: boolean
  /** In CSS pixels; one of `FONT_SIZES`. */
  readonly fontSize: number
}

export const FONT_SIZES: readonly number[] = [12, 13, 14, 16, 18, 20]

export const DEFAULT_FONT_SIZE = 14

/** Returns the display that a cookie header asks for. */
export function parseDisplayCookie(cookies: string): Display {
  const [, wrap, size] = /(?:^|;\s*)display=(wrap)?(\d{0,2})\s*(?:;|$)/.exec(cookies) ?? []
  const fontSize = Number(size)
  return {
    wrapped: wrap !== undefined,
    fontSize: FONT_SIZES.includes(fontSize) ? fontSize : DEFAULT_FONT_SIZE,
  }
}

/** Returns the value of the cookie; empty for the defaults. */
export const formatDisplayCookie = ({ wrapped, fontSize }: Display): string =>
  `${wrapped ? 'wrap' : ''}${fontSize === DEFAULT_FONT_SIZE ? '' : fontSize}`

/** Returns the classes that display a text this way. */
export const getDisplayClasses = ({ wrapped, fontSize }: Display): string[] => [
  ...(wrapped ? ['wrapped'] : []),
  ...(fontSize === DEFAULT_FONT_SIZE ? [] : [`size-${fontSize}`]),
]
