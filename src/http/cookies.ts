import { serialize, serializeSigned } from 'hono/utils/cookie'
import type { Document } from '../documents/document.ts'
import type { AppContext } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { isLoopback } from '../platform/addresses.ts'
import { DAY_SECONDS } from '../shared/instant.ts'

/** `__Host-` keeps other hosts, and pages without TLS, from setting the cookie (RFC 6265bis §4.1.3.2). */
export const cookiePrefix = (siteUrl: string): string => (isLoopback(siteUrl) ? 'regent' : '__Host-regent')

/** No script sees our cookies, and other sites send them with links only. */
export const cookieOptions = (siteUrl: string) =>
  ({ httpOnly: true, secure: !isLoopback(siteUrl), sameSite: 'Lax', path: '/' }) as const

export const expiredCookie = (siteUrl: string, name: string): string =>
  serialize(name, '', { ...cookieOptions(siteUrl), maxAge: 0 })

export const sessionCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.session_token`

/** @throws AppError `not_found` if the operator hasn't set it, so that nobody can sign in. */
export function requireAuthSecret({ var: { config } }: AppContext): string {
  if (config.authSecret === null) throw routeNotFound()
  return config.authSecret
}

export const createSessionCookie = (
  { var: { config, siteUrl } }: AppContext,
  token: string,
  secret: string,
): Promise<string> =>
  serializeSigned(sessionCookieName(siteUrl), token, secret, {
    ...cookieOptions(siteUrl),
    maxAge: config.sessionDays * DAY_SECONDS,
  })

export const expiredSessionCookie = (siteUrl: string): string =>
  expiredCookie(siteUrl, sessionCookieName(siteUrl))

/** Browsers shorten longer lifetimes to this (RFC 6265bis §5.5). */
export const MAX_COOKIE_SECONDS = 400 * DAY_SECONDS

/**
 * Tells whether the site uses TLS. Without it, as on another device of a private network, the network can read along in
 * any case.
 */
const hasTls = (siteUrl: string): boolean => siteUrl.startsWith('https:')

/** The prefix keeps pages without TLS from setting it. `__Host-` would allow no path but `/`. */
export const documentTokenCookieName = (siteUrl: string): string =>
  hasTls(siteUrl) ? '__Secure-regent.document_token' : 'regent.document_token'

export function documentTokenCookie(
  c: AppContext,
  { id, expiresAt }: Pick<Document, 'id' | 'expiresAt'>,
  token: string,
): string {
  const { now, siteUrl } = c.var
  return serialize(documentTokenCookieName(siteUrl), token, {
    ...cookieOptions(siteUrl),
    secure: hasTls(siteUrl),
    path: `/${id}`,
    maxAge: Math.min(Math.ceil((expiresAt - now) / 1_000), MAX_COOKIE_SECONDS),
  })
}

export const expiredDocumentTokenCookie = (c: AppContext, documentId: string): string =>
  documentTokenCookie(c, { id: documentId, expiresAt: c.var.now }, '')
