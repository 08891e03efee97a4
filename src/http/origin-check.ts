import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../env.ts'
import { foreignForm } from '../errors.ts'

/** The part of an address before its path. Parsing it as a URL would cost more than the rest of a request's frame. */
export const getOrigin = (url: string): string => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))

/**
 * Whether a page of this site made the request, as browsers tell by `Origin`, or by `Sec-Fetch-Site`;
 * null when neither is there, which is no browser of today.
 */
export function isFromThisSite(c: AppContext): boolean | null {
  const origin = c.req.header('Origin')
  if (origin !== undefined) return origin === c.var.siteUrl || origin === getOrigin(c.req.url)
  const site = c.req.header('Sec-Fetch-Site')
  return site === undefined ? null : site === 'same-origin' || site === 'none'
}

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** Whether the request may act for the session whose cookie came along: no other site can make a browser do that. */
export const mayUseSession = (c: AppContext): boolean => isSafe(c.req.method) || isFromThisSite(c) === true

/** Throws `bad_auth` for a request that another site made. */
export function refuseOtherSites(c: AppContext): void {
  if (!mayUseSession(c)) throw foreignForm()
}

/** Refuses forms that another site sent. Throws `bad_auth`. */
export const requireThisSite = createMiddleware<AppEnv>(async (c, next) => {
  refuseOtherSites(c)
  await next()
})
