import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../env.ts'
import { crossSiteForm } from '../errors.ts'

/** Returns the origin of an address. Parsing it as a URL would take longer than the rest of the middleware. */
export const getOrigin = (url: string): string => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))

/**
 * Returns true if a page of this site made the request, as the browser says in `Origin` or `Sec-Fetch-Site`. Returns
 * null if neither is present, as with programs other than browsers.
 */
export function isFromThisSite(c: AppContext): boolean | null {
  const origin = c.req.header('Origin')
  if (origin !== undefined) return origin === c.var.siteUrl || origin === getOrigin(c.req.url)
  const site = c.req.header('Sec-Fetch-Site')
  return site === undefined ? null : site === 'same-origin' || site === 'none'
}

/** Returns true for methods that change nothing. */
export const isSafe = (method: string): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** Returns true if the request may use its session: a request that changes something must come from this site. */
export const mayUseSession = (c: AppContext): boolean => isSafe(c.req.method) || isFromThisSite(c) === true

/** Throws `bad_auth` for a request that another site made. */
export function refuseOtherSites(c: AppContext): void {
  if (!mayUseSession(c)) throw crossSiteForm()
}

/** Refuses forms that another site sent. Throws `bad_auth`. */
export const requireThisSite = createMiddleware<AppEnv>(async (c, next) => {
  refuseOtherSites(c)
  await next()
})
