import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../env.ts'
import { dataSecurityHeaders } from '../platform/security-headers.ts'

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
  const preflight = cors({ origin: '*', allowMethods: methods, allowHeaders: headers, maxAge: 86_400 })
  return createMiddleware<AppEnv>((c, next) => {
    if (c.req.method !== 'OPTIONS' || !c.req.header('Access-Control-Request-Method')) return next()
    const headers = { ...dataSecurityHeaders(c.req.url), 'X-Request-Id': c.var.requestId }
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return preflight(c, next)
  })
}
