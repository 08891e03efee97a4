import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { nanoid } from 'nanoid'
import { cookiePrefix } from '../../accounts/cookie-names.ts'
import { toMailbox } from '../../accounts/sign-in/email-limits.ts'
import { LINK_LIFETIME_SECONDS } from '../../accounts/sign-in/email-links.ts'
import type { AppContext } from '../../env.ts'
import { cookieOptions, expiredCookie } from '../../http/cookies.ts'
import { hashSecret, signText } from '../../shared/hashing.ts'
import { DAY_SECONDS } from '../../shared/instant.ts'

/** Browsers shorten longer lifetimes to this (RFC 6265bis §5.5). */
const MAX_AGE_SECONDS = 400 * DAY_SECONDS
/** How many mailboxes a browser remembers. */
const MAX_MAILBOXES = 5

const SEPARATOR = '.'

const getCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.known`

interface KnownBrowser {
  readonly id: string
  /** A signature for each mailbox that the browser has signed in with, the latest first. */
  readonly proofs: readonly string[]
}

function readCookie(c: AppContext): KnownBrowser | null {
  const [id, ...proofs] = getCookie(c, getCookieName(c.var.siteUrl))?.split(SEPARATOR) ?? []
  return id ? { id, proofs: proofs.slice(0, MAX_MAILBOXES) } : null
}

/** Returns what proves that a browser has signed in with an address. It doesn't reveal the address. */
const createProof = (secret: string, browserId: string, email: string): Promise<string> =>
  signText(secret, `known-browser ${browserId} ${toMailbox(email)}`)

/** Returns the id of this browser if it has signed in with an address before; otherwise null. */
export async function findKnownBrowser(c: AppContext, secret: string, email: string): Promise<string | null> {
  const browser = readCookie(c)
  if (!browser) return null
  return browser.proofs.includes(await createProof(secret, browser.id, email)) ? browser.id : null
}

/**
 * Returns the `Set-Cookie` value that lets this browser request links to an address, however many others have
 * requested. Signing out doesn't delete it.
 */
export async function knownBrowserCookie(c: AppContext, secret: string, email: string): Promise<string> {
  const { siteUrl } = c.var
  const browser = readCookie(c) ?? { id: nanoid(), proofs: [] }
  const proof = await createProof(secret, browser.id, email)
  const proofs = [proof, ...browser.proofs.filter((other) => other !== proof)].slice(0, MAX_MAILBOXES)
  return serialize(getCookieName(siteUrl), [browser.id, ...proofs].join(SEPARATOR), {
    ...cookieOptions(siteUrl),
    maxAge: MAX_AGE_SECONDS,
  })
}

const getLinkCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.asked`

/**
 * Returns the `Set-Cookie` value that marks the browser that requested a link. Contains the hash of the link's token.
 */
export const createLinkCookie = async (siteUrl: string, token: string): Promise<string> =>
  serialize(getLinkCookieName(siteUrl), await hashSecret(token), {
    ...cookieOptions(siteUrl),
    maxAge: LINK_LIFETIME_SECONDS,
  })

/** Returns true if this browser requested the link with this token. */
export const hasRequestedLink = async (c: AppContext, token: string): Promise<boolean> =>
  getCookie(c, getLinkCookieName(c.var.siteUrl)) === (await hashSecret(token))

/** Returns the `Set-Cookie` value that deletes the cookie. */
export const expiredLinkCookie = (siteUrl: string): string =>
  expiredCookie(siteUrl, getLinkCookieName(siteUrl))
