import { createContext } from 'hono/jsx'
import type { AppContext } from '../../env.ts'
import { getOrigin } from '../../http/origin-check.ts'

export const THEMES = ['system', 'light', 'dark'] as const

/** The colours of pages; `system` follows the device's setting. */
export type Theme = (typeof THEMES)[number]

const THEME_COOKIE = /(?:^|;\s*)theme=(light|dark)\s*(?:;|$)/

/** Returns the theme in the browser's cookie; `system` if there is none. */
export const getTheme = (c: AppContext): Theme =>
  (THEME_COOKIE.exec(c.req.header('Cookie') ?? '')?.[1] as Theme | undefined) ?? 'system'

/** What the frame around a page needs to know about the request. Components get it from context. */
interface Frame {
  readonly theme: Theme
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
