import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import type { AppContext } from '../env.ts'
import { cookieOptions, cookiePrefix } from './cookies.ts'
import { isFromThisSite, isSafe } from './identity.ts'

/** Carries the state of the database after a write. Who sends it back sees that write, or a later state. */
export const BOOKMARK_HEADER = 'X-Bookmark'

const COOKIE = '.bookmark'

/** How long a browser keeps a bookmark. Later, every copy that answers has the write: see MAX_LAG_MS. */
const COOKIE_SECONDS = 3 * 60

/** A bookmark of D1. Its documentation doesn't say what it does with anything else. */
const BOOKMARK = /^[0-9a-f]{8}(?:-[0-9a-f]{8}){2}-[0-9a-f]{32}$/

const cookieName = (siteUrl: string): string => cookiePrefix(siteUrl) + COOKIE

export function readBookmark(c: AppContext): string | null {
  // Parsing the cookies of every read would take time for nothing.
  const hasCookie = c.req.header('Cookie')?.includes(`${COOKIE}=`) ?? false
  const sent =
    c.req.header(BOOKMARK_HEADER) ?? (hasCookie ? getCookie(c, cookieName(c.var.siteUrl)) : undefined)
  return sent !== undefined && BOOKMARK.test(sent) ? sent : null
}

/** Sends programs a header, and pages of this site a cookie. */
export function addBookmark(c: AppContext): void {
  if (isSafe(c.req.method) || c.res.status >= 400) return
  const { siteUrl, store } = c.var
  const { bookmark } = store.db
  if (bookmark === null) return
  c.res.headers.set(BOOKMARK_HEADER, bookmark)
  if (isFromThisSite(c) !== true) return
  const options = { ...cookieOptions(siteUrl), maxAge: COOKIE_SECONDS }
  c.res.headers.append('Set-Cookie', serialize(cookieName(siteUrl), bookmark, options))
}
