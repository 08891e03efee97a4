/** The name of the language. It's here since the table of languages is too long for the script of every document. */
export const PLAIN_TEXT = 'plaintext'

/** Pages show the switch of views before the script that works it has loaded. */
export const RENDERED_VIEW = { name: 'rendered', label: 'Rendered' } as const

export const TABLE_VIEW = { name: 'table', label: 'Table' } as const

export const TREE_VIEW = { name: 'tree', label: 'Tree' } as const

export const TERMINAL_VIEW = { name: 'terminal', label: 'Terminal' } as const

/** A text with escape sequences has this label in place of its language. */
export const TERMINAL_LABEL = 'Terminal output'

/** UTF-16 units that can be rendered. More would make the page slow. */
export const MAX_RENDERED = 1024 * 1024

/** Bytes of a source that takes long to lay out, so that the styles don't do so while it waits for its view. */
export const LONG_SOURCE_BYTES = 16 * 1024

export const SOURCE_LABEL = 'Source'

/** The settings that the cookie `display` stores, so that the server can render pages as a reader wants them. */
export type ChosenDisplay = ReturnType<typeof parseDisplayCookie>

export interface Display extends ChosenDisplay {
  /** The window is a phone's. */
  readonly isNarrow: boolean
}

export const FONT_SIZES: readonly number[] = [12, 13, 14, 16, 18, 20]

const DEFAULT_FONT_SIZE = 14

export function parseDisplayCookie(cookies: string) {
  const [, wrap, size] = /(?:^|;\s*)display=((?:no)?wrap)?(\d{0,2})\s*(?:;|$)/.exec(cookies) ?? []
  const fontSize = Number(size)
  return {
    /** Is null where nobody has chosen: `isWrapped` says it then. */
    wrapped: wrap === undefined ? null : wrap === 'wrap',
    /** One of `FONT_SIZES`, in CSS pixels. */
    fontSize: FONT_SIZES.includes(fontSize) ? fontSize : DEFAULT_FONT_SIZE,
  }
}

/** Returns the value of the cookie `display`, which is empty for the defaults. */
export const formatDisplayCookie = ({ wrapped, fontSize }: ChosenDisplay): string =>
  `${wrapped === null ? '' : wrapped ? 'wrap' : 'nowrap'}${fontSize === DEFAULT_FONT_SIZE ? '' : fontSize}`

/** Columns that every window has room for, and every phone. */
const COMMON_COLUMNS = { wide: 80, narrow: 40 }

interface ShownText {
  readonly language: string
  /** The length of the longest line, in UTF-16 units. */
  readonly longestLine: number
}

/**
 * Tells whether lines wrap. Unless somebody has chosen, prose wraps, and where there's no room for a line of code, so
 * does code: the same in the editor and on the page. A text that fits isn't wrapped, which would take a script to
 * number its lines.
 */
export const isWrapped = (
  { wrapped, isNarrow }: Pick<Display, 'wrapped' | 'isNarrow'>,
  { language, longestLine }: ShownText,
): boolean =>
  wrapped ??
  ((isNarrow || language === PLAIN_TEXT) && longestLine > COMMON_COLUMNS[isNarrow ? 'narrow' : 'wide'])

/** Windows up to this width are a phone's, in CSS pixels. */
export const NARROW = 768

export const getDisplayClasses = ({
  wrapped,
  fontSize,
}: Pick<ChosenDisplay, 'wrapped' | 'fontSize'>): string[] => [
  ...(wrapped ? ['wrapped'] : []),
  ...(fontSize === DEFAULT_FONT_SIZE ? [] : [`size-${fontSize}`]),
]
