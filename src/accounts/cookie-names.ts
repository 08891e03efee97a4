import { isLoopback } from '../platform/addresses.ts'

/**
 * Returns the prefix of cookie names. `__Host-` keeps other hosts, and pages without TLS, from setting the cookie
 * (RFC 6265bis §4.1.3.2).
 */
export const cookiePrefix = (siteUrl: string): string => (isLoopback(siteUrl) ? 'regent' : '__Host-regent')

export const sessionCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.session_token`
