import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { hashSecret } from '../../accounts/hashing.ts'
import { findAccountDetails } from '../../accounts/profile/profile.ts'
import { cookiePrefix, endSession } from '../../accounts/sessions.ts'
import { LINK_LIFETIME_SECONDS } from '../../accounts/sign-in/email-links.ts'
import type { AppContext } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { retryRefusedGists } from '../../gists/record-gist.ts'
import { cookieOptions, expiredCookie, readSessionToken } from '../../http/session-cookie.ts'
import { logError } from '../../platform/logging.ts'
import { createEmailSender, type EmailSender } from '../../platform/email.ts'
import { connectedMail } from './emails.tsx'

/** How people can sign in on this server; without either, its operator makes the accounts. */
export interface Ways {
  readonly sendMail: EmailSender | null
  readonly gitHub: boolean
}

export function waysOf(c: AppContext): Ways {
  const { authSecret, mailFrom, github } = c.var.config
  if (authSecret === null) return { sendMail: null, gitHub: false }
  const sendMail = createEmailSender({ from: mailFrom, binding: c.env.EMAIL, siteUrl: c.var.siteUrl })
  return { sendMail, gitHub: github.app !== null }
}

/**
 * better-auth for this request. It is loaded only here, on the routes that sign people in: it is four times
 * the rest of the Worker.
 *
 * @param onLink told of the token that a mail is to carry.
 * @throws AppError `not_found` where nobody can sign in.
 */
export async function authFor(c: AppContext, onLink?: (token: string) => void) {
  const { config, siteUrl, store } = c.var
  if (config.authSecret === null) throw routeNotFound()
  const { createAuth } = await import('../../accounts/sign-in/auth.ts')
  const { app, url, apiUrl } = config.github
  return createAuth({
    db: store.db,
    secret: config.authSecret,
    siteUrl,
    gitHub: app && { ...app, url, apiUrl },
    getSignedInUser: c.var.identity.session,
    defer: store.defer,
    onConnected: (userId, gitHub) => {
      store.defer(() => retryRefusedGists(store.db, userId, c.var.now))
      // Whoever is connected can sign in from now on, so the owner is told.
      if (gitHub && !gitHub.isNewAccount) store.defer(() => tellOfGitHub(c, userId, gitHub.login))
    },
    onError: (message, cause) => logError(`signing in: ${message}`, c.var.requestId, cause),
    ...(onLink && { onLink }),
  })
}

async function tellOfGitHub(c: AppContext, userId: string, login: string): Promise<void> {
  const { sendMail } = waysOf(c)
  const details = sendMail && (await findAccountDetails(c.var.store.db, userId, c.var.now))
  if (details) await sendMail(await connectedMail(details.email, { username: details.username, login }))
}

const askedCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.asked`

/** The cookie by which a browser shows that it asked for a link: the hash of what the link holds. */
export const askedCookie = async (siteUrl: string, token: string): Promise<string> =>
  serialize(askedCookieName(siteUrl), await hashSecret(token), {
    ...cookieOptions(siteUrl),
    maxAge: LINK_LIFETIME_SECONDS,
  })

/** Whether this browser asked for the link with this token. */
export const askedHere = async (c: AppContext, token: string): Promise<boolean> =>
  getCookie(c, askedCookieName(c.var.siteUrl)) === (await hashSecret(token))

export const expiredAskedCookie = (siteUrl: string) => expiredCookie(siteUrl, askedCookieName(siteUrl))

/** Ends the session of this browser, if it has one. */
export async function endOwnSession(c: AppContext): Promise<void> {
  const token = await readSessionToken(c)
  if (token !== null) await endSession(c.var.store.db, token)
}
