import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../env.ts'
import { crossSiteForm } from '../errors.ts'
import { dataSecurityHeaders } from '../platform/security-headers.ts'
import { DAY_SECONDS } from '../shared/instant.ts'

/** Lets scripts of any origin read a response and these of its headers. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Bookmark, X-Document-Token, X-Request-Id',
}

interface AllowedRequests {
  readonly methods: string[]
  readonly headers: string[]
}

/**
 * Answers preflight requests, which ask what scripts of other origins may send. Passes on OPTIONS requests that aren't
 * preflights.
 */
export function answerPreflight({ methods, headers }: AllowedRequests) {
  const preflight = cors({ origin: '*', allowMethods: methods, allowHeaders: headers, maxAge: DAY_SECONDS })
  return createMiddleware<AppEnv>((c, next) => {
    if (c.req.method !== 'OPTIONS' || !c.req.header('Access-Control-Request-Method')) return next()
    const headers = { ...dataSecurityHeaders(c.req.url), 'X-Request-Id': c.var.requestId }
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return preflight(c, next)
  })
}

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
