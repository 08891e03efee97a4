import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { cookiePrefix } from '../accounts/cookie-names.ts'
import type { AppContext } from '../env.ts'
import { cookieOptions } from './identity/session-cookie.ts'
import { isFromThisSite, isSafe } from './origin-check.ts'

/** Carries the state of the database after a write. Who sends it back sees that write, or a later state. */
export const BOOKMARK_HEADER = 'X-Bookmark'

const COOKIE = '.bookmark'

/** Later, every copy that answers has the write: see MAX_LAG_MS. */
const COOKIE_SECONDS = 3 * 60

/** A bookmark of D1. Its documentation doesn't say what it does with anything else. */
const BOOKMARK = /^[0-9a-f]{8}(?:-[0-9a-f]{8}){2}-[0-9a-f]{32}$/

const cookieName = (siteUrl: string): string => cookiePrefix(siteUrl) + COOKIE

/** Returns the bookmark of a request. Null if it sends none, or something that isn't one. */
export function readBookmark(c: AppContext): string | null {
  const sent = c.req.header(BOOKMARK_HEADER) ?? readCookie(c)
  return sent !== undefined && BOOKMARK.test(sent) ? sent : null
}

/** Parsing the cookies of every read would take time for nothing. */
const readCookie = (c: AppContext): string | undefined =>
  c.req.header('Cookie')?.includes(`${COOKIE}=`) ? getCookie(c, cookieName(c.var.siteUrl)) : undefined

/** Adds the bookmark of what a request wrote to its answer: a header for programs, a cookie for pages of this site. */
export function addBookmark(c: AppContext): void {
  const { siteUrl, store } = c.var
  const { bookmark } = store.db
  if (bookmark === null || isSafe(c.req.method) || c.res.status >= 400) return
  c.res.headers.set(BOOKMARK_HEADER, bookmark)
  if (isFromThisSite(c) !== true) return
  const options = { ...cookieOptions(siteUrl), maxAge: COOKIE_SECONDS }
  c.res.headers.append('Set-Cookie', serialize(cookieName(siteUrl), bookmark, options))
}
