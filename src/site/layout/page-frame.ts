import { createContext } from 'hono/jsx'
import type { AppContext } from '../../env.ts'
import { getOrigin } from '../../http/origin-check.ts'

export const THEMES = ['system', 'light', 'dark'] as const

/** What a visitor wants pages to look like; `system`: as the rest of their screen. */
export type Theme = (typeof THEMES)[number]

const CHOSEN = /(?:^|;\s*)theme=(light|dark)\s*(?:;|$)/

/** What the visitor has chosen, by their cookie; nothing, or nonsense, is `system`. */
export const getTheme = (c: AppContext): Theme =>
  (CHOSEN.exec(c.req.header('Cookie') ?? '')?.[1] as Theme | undefined) ?? 'system'

/** What the frame of a page tells of its request; every page has it without being given it. */
interface Frame {
  readonly theme: Theme
  /**
   * Where the page is, with its query; null for the answer to a form, which asking again would not bring back.
   * Empty for an error: it shows nothing of an address that anyone could have made up, so all are alike.
   */
  readonly back: string | null
  /** The whole address of the page without its query, for who has it on paper; empty for an error. */
  readonly address: string
}

export const PageFrame = createContext<Frame>({ theme: 'system', back: null, address: '' })

/** The frame of the page that answers this request with this status. */
export function getFrame(c: AppContext, status: number): Frame {
  const { method, path, url } = c.req
  const failed = status >= 400
  return {
    theme: getTheme(c),
    back: method !== 'GET' ? null : failed ? '' : url.slice(getOrigin(url).length),
    address: failed ? '' : c.var.siteUrl + path,
  }
}
