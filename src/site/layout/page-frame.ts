import type { HtmlEscapedString } from 'hono/utils/html'
import type { AppContext } from '../../env.ts'
import { getOrigin } from '../../http/origin-check.ts'
import { type Display, parseDisplayCookie } from '../../shared/display.ts'
import { parseThemeCookie, type ThemeName } from '../../shared/themes.ts'

/** Returns the theme in the browser's cookie; `system` if there is none. */
export const getTheme = (c: AppContext): ThemeName => parseThemeCookie(c.req.header('Cookie') ?? '')

/** Returns how the browser's cookie asks to display texts. */
export const getDisplay = (c: AppContext): Display => parseDisplayCookie(c.req.header('Cookie') ?? '')

/** What the frame around a page needs to know about the request. */
interface Frame {
  readonly theme: ThemeName
  /**
   * The path and query of the page; null for the answer to a form, since a GET wouldn't bring it back. Empty for an
   * error page, which shows nothing of an address that anybody can make up.
   */
  readonly path: string | null
  /** The address of the page without its query, which print shows; empty for an error page. */
  readonly address: string
  /** The address that absolute links start with, without a trailing slash. */
  readonly siteUrl: string
  /** Whether this server has lists of public documents. */
  readonly explore: boolean
  /** What the parts of the page have put into its head. */
  readonly inHead: HtmlEscapedString[]
}

let current: Frame = { theme: 'system', path: null, address: '', siteUrl: '', explore: false, inHead: [] }

/** Returns the frame of the page that is being rendered. */
export const useFrame = (): Frame => current

/**
 * Renders a page in its frame. No other page can come between, because components render synchronously. The context of
 * `hono/jsx` would do the same, but adds 6 KB after gzip to what the Worker loads to read a document.
 */
export function renderInFrame<Result>(frame: Frame, render: () => Result): Result {
  const previous = current
  current = frame
  try {
    return render()
  } finally {
    current = previous
  }
}

/** Returns the frame of the page that answers this request with this status. */
export function getFrame(c: AppContext, status: number): Frame {
  const { method, url } = c.req
  const failed = status >= 400
  return {
    theme: getTheme(c),
    path: method !== 'GET' ? null : failed ? '' : url.slice(getOrigin(url).length),
    address: failed ? '' : c.var.siteUrl + c.req.path,
    siteUrl: c.var.siteUrl,
    // An error page has no configuration if a variable is invalid.
    explore: c.var.config?.explore ?? false,
    inHead: [],
  }
}
