import { getSignedCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { sessionCookieName } from '../../accounts/cookie-names.ts'
import type { AppContext } from '../../env.ts'
import { isLoopback } from '../../platform/loopback.ts'

/** Returns the attributes of our cookies: no script sees them, and other sites send them with links only. */
export const cookieOptions = (siteUrl: string) =>
  ({ httpOnly: true, secure: !isLoopback(siteUrl), sameSite: 'Lax', path: '/' }) as const

/** Returns the `Set-Cookie` value that deletes a cookie. */
export const expiredCookie = (siteUrl: string, name: string): string =>
  serialize(name, '', { ...cookieOptions(siteUrl), maxAge: 0 })

/** Returns the `Set-Cookie` value that deletes the session's cookie. */
export const expiredSessionCookie = (siteUrl: string): string =>
  expiredCookie(siteUrl, sessionCookieName(siteUrl))

/** Returns the session's token; null without a cookie that this service signed. */
export async function readSessionToken(c: AppContext): Promise<string | null> {
  const { config, hasSessionCookie, siteUrl } = c.var
  if (!hasSessionCookie || config.authSecret === null) return null
  return (await getSignedCookie(c, config.authSecret, sessionCookieName(siteUrl))) || null
}
