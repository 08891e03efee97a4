import { getCookie, getSignedCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { serialize, serializeSigned } from 'hono/utils/cookie'
import { SESSION_LIFETIME_SECONDS } from '../accounts/sessions.ts'
import { type Document, holdsToken, isDocumentToken, type Viewer } from '../documents/document.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { crossSiteForm, routeNotFound } from '../errors.ts'
import { isLoopback } from '../platform/addresses.ts'
import { hashSecret } from '../shared/hashing.ts'
import { DAY_SECONDS } from '../shared/instant.ts'

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

/**
 * Returns the API key that a request sends, valid or not, or undefined if it sends none. The key may follow the scheme
 * `Bearer`. Some scripts without a key send `null` or `undefined` instead, which counts as no key.
 */
export function readApiKey(c: AppContext): string | undefined {
  const key = c.req
    .header('Authorization')
    ?.trim()
    .replace(/^bearer(?:\s+|$)/i, '')
  return key === '' || key === 'null' || key === 'undefined' ? undefined : key
}

/** Returns true if a request has an API key or a session cookie, valid or not. */
export const hasCredential = (c: AppContext): boolean => readApiKey(c) !== undefined || c.var.hasSessionCookie

/**
 * Returns the prefix of cookie names. `__Host-` keeps other hosts, and pages without TLS, from setting the cookie
 * (RFC 6265bis §4.1.3.2).
 */
export const cookiePrefix = (siteUrl: string): string => (isLoopback(siteUrl) ? 'regent' : '__Host-regent')

/** Returns the attributes of our cookies: no script sees them, and other sites send them with links only. */
export const cookieOptions = (siteUrl: string) =>
  ({ httpOnly: true, secure: !isLoopback(siteUrl), sameSite: 'Lax', path: '/' }) as const

/** Returns the `Set-Cookie` value that deletes a cookie. */
export const expiredCookie = (siteUrl: string, name: string): string =>
  serialize(name, '', { ...cookieOptions(siteUrl), maxAge: 0 })

export const sessionCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.session_token`

/**
 * Returns the secret that signs cookies.
 *
 * @throws AppError `not_found` if the operator hasn't set one, so that nobody can sign in.
 */
export function requireAuthSecret({ var: { config } }: AppContext): string {
  if (config.authSecret === null) throw routeNotFound()
  return config.authSecret
}

/** Returns the `Set-Cookie` value that keeps a session's token in the browser. */
export const createSessionCookie = (siteUrl: string, token: string, secret: string): Promise<string> =>
  serializeSigned(sessionCookieName(siteUrl), token, secret, {
    ...cookieOptions(siteUrl),
    maxAge: SESSION_LIFETIME_SECONDS,
  })

/** Returns the `Set-Cookie` value that deletes the session's cookie. */
export const expiredSessionCookie = (siteUrl: string): string =>
  expiredCookie(siteUrl, sessionCookieName(siteUrl))

/** Returns the session's token; null without a cookie that this service signed. */
export async function readSessionToken(c: AppContext): Promise<string | null> {
  const { config, hasSessionCookie, siteUrl } = c.var
  if (!hasSessionCookie || config.authSecret === null) return null
  return (await getSignedCookie(c, config.authSecret, sessionCookieName(siteUrl))) || null
}

/** Returns the password in the query or the header of a request for an encrypted document; undefined without one. */
export const readDocumentPassword = (c: AppContext, document: Document): string | undefined =>
  document.encrypted ? c.req.query('password') || c.req.header('X-Document-Password') || undefined : undefined

export const DOCUMENT_TOKEN_HEADER = 'X-Document-Token'

/** Browsers shorten longer lifetimes to this (RFC 6265bis §5.5). */
export const MAX_COOKIE_SECONDS = 400 * DAY_SECONDS

/** The prefix keeps pages without TLS from setting it. `__Host-` would allow no path but `/`. */
const cookieName = (siteUrl: string): string =>
  isLoopback(siteUrl) ? 'regent.document_token' : '__Secure-regent.document_token'

/**
 * Returns the document token of a request, right or wrong; undefined without one. Programs send it in the header.
 * Browsers send it in a cookie to the pages of the document, and as with a session, it counts for changes only if the
 * request comes from this site.
 */
export function readDocumentToken(c: AppContext): string | undefined {
  const sent = c.req.header(DOCUMENT_TOKEN_HEADER)?.trim()
  if (sent) return sent
  // Parsing the cookies of every read would take time for nothing.
  if (!c.req.header('Cookie')?.includes('regent.document_token=')) return undefined
  return (mayUseSession(c) && getCookie(c, cookieName(c.var.siteUrl))) || undefined
}

/** Returns the viewer: an account or none, together with the document token of the request. */
export async function toViewer(c: AppContext, account: { readonly id: string } | null): Promise<Viewer> {
  const token = readDocumentToken(c)
  return {
    id: account?.id ?? null,
    tokenHash: token !== undefined && isDocumentToken(token) ? await hashSecret(token) : null,
  }
}

/** Returns who makes a request: the account, which may take a query to find, and the document token. */
export const findViewer = async (c: AppContext): Promise<Viewer> => toViewer(c, await c.var.identity.ask())

/**
 * Returns the `Set-Cookie` value that keeps a document's token in the browser for the pages of the document, until it
 * expires.
 */
export function documentTokenCookie(
  c: AppContext,
  { id, expiresAt }: Pick<Document, 'id' | 'expiresAt'>,
  token: string,
): string {
  const { now, siteUrl } = c.var
  const maxAge = Math.min(Math.ceil((expiresAt - now) / 1_000), MAX_COOKIE_SECONDS)
  return serialize(cookieName(siteUrl), token, { ...cookieOptions(siteUrl), path: `/${id}`, maxAge })
}

/** Returns the `Set-Cookie` value that deletes a document's token from the browser. */
export function expiredDocumentTokenCookie(c: AppContext, documentId: string): string {
  const { siteUrl } = c.var
  const options = { ...cookieOptions(siteUrl), path: `/${documentId}`, maxAge: 0 }
  return serialize(cookieName(siteUrl), '', options)
}

/** Returns the `Set-Cookie` values that keep the document token of this request as long as the document now lasts. */
export function renewedDocumentTokenCookies(c: AppContext, document: Document, viewer: Viewer): string[] {
  const token = readDocumentToken(c)
  return token !== undefined && holdsToken(document, viewer) ? [documentTokenCookie(c, document, token)] : []
}

/** Returns the `Set-Cookie` values that delete the document token of this request from the browser. */
export const deletedDocumentTokenCookies = (c: AppContext, documentId: string): string[] =>
  readDocumentToken(c) === undefined ? [] : [expiredDocumentTokenCookie(c, documentId)]
