import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { cookiePrefix } from '../../accounts/cookie-names.ts'
import { hashSecret } from '../../accounts/hashing.ts'
import { LINK_LIFETIME_SECONDS } from '../../accounts/sign-in/email-links.ts'
import type { AppContext } from '../../env.ts'
import { cookieOptions, expiredCookie } from '../../http/identity/session-cookie.ts'

const getCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.asked`

/**
 * Returns the `Set-Cookie` value that marks the browser that requested a link. Contains the hash of the link's token.
 */
export const createLinkCookie = async (siteUrl: string, token: string): Promise<string> =>
  serialize(getCookieName(siteUrl), await hashSecret(token), {
    ...cookieOptions(siteUrl),
    maxAge: LINK_LIFETIME_SECONDS,
  })

/** Returns true if this browser requested the link with this token. */
export const hasRequestedLink = async (c: AppContext, token: string): Promise<boolean> =>
  getCookie(c, getCookieName(c.var.siteUrl)) === (await hashSecret(token))

/** Returns the `Set-Cookie` value that deletes the cookie. */
export const expiredLinkCookie = (siteUrl: string): string => expiredCookie(siteUrl, getCookieName(siteUrl))
