import { createContext } from 'hono/jsx'
import type { AppContext } from '../../env.ts'
import { getOrigin } from '../../http/origin-check.ts'
import { type Display, parseDisplayCookie } from '../../shared/display.ts'
import { parseThemeCookie, type ThemeName } from '../../shared/themes.ts'

/** Returns the theme in the browser's cookie; `system` if there is none. */
export const getTheme = (c: AppContext): ThemeName => parseThemeCookie(c.req.header('Cookie') ?? '')

/** Returns how the browser's cookie asks to display texts. */
export const getDisplay = (c: AppContext): Display => parseDisplayCookie(c.req.header('Cookie') ?? '')

/** What the frame around a page needs to know about the request. Components get it from context. */
interface Frame {
  readonly theme: ThemeName
  /**
   * The path and query of the page; null for the answer to a form, since a GET wouldn't bring it back. Empty for an
   * error page, which shows nothing of an address that anybody can make up.
   */
  readonly path: string | null
  /** The address of the page without its query, which print shows; empty for an error page. */
  readonly address: string
}

export const PageFrame = createContext<Frame>({ theme: 'system', path: null, address: '' })

/** Returns the frame of the page that answers this request with this status. */
export function getFrame(c: AppContext, status: number): Frame {
  const { method, url } = c.req
  const failed = status >= 400
  return {
    theme: getTheme(c),
    path: method !== 'GET' ? null : failed ? '' : url.slice(getOrigin(url).length),
    address: failed ? '' : c.var.siteUrl + c.req.path,
  }
}
