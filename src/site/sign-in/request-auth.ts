import { findAccountDetails } from '../../accounts/profile/profile.ts'
import { endSession } from '../../accounts/sessions.ts'
import type { AppContext } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { retryRefusedGists } from '../../gists/record-gist.ts'
import { readSessionToken } from '../../http/identity/session-cookie.ts'
import { truncateAddress } from '../../http/truncate-address.ts'
import { logError } from '../../platform/logging.ts'
import { loadEmails } from '../emails/load-emails.ts'
import { getSignInMethods } from './sign-in-methods.ts'

/**
 * Sets up better-auth for this request. Only routes that sign users in load it, because it is four times as large as
 * the rest of the Worker.
 *
 * @param onLink called with the token to put into the email.
 * @throws AppError `not_found` if sign-in isn't set up.
 */
export async function createRequestAuth(c: AppContext, onLink?: (token: string) => void) {
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
    network: truncateAddress(c.req.header('CF-Connecting-IP') ?? ''),
    defer: store.defer,
    onConnected: (userId, gitHub) => {
      store.defer(() => retryRefusedGists(store.db, userId, c.var.now))
      // Someone can now sign in with this GitHub account, so the user is told by email.
      if (gitHub && !gitHub.isNewAccount) store.defer(() => sendConnectedEmail(c, userId, gitHub.login))
    },
    onError: (message, cause) => logError(`sign-in: ${message}`, c.var.requestId, cause),
    ...(onLink && { onLink }),
  })
}

async function sendConnectedEmail(c: AppContext, userId: string, login: string): Promise<void> {
  const { sendEmail } = getSignInMethods(c)
  const details = sendEmail && (await findAccountDetails(c.var.store.db, userId, c.var.now))
  if (details) {
    const { gitHubConnectedEmail } = await loadEmails()
    await sendEmail(await gitHubConnectedEmail(details.email, { username: details.username, login }))
  }
}

/** Ends the session of this browser, if it has one. */
export async function endCurrentSession(c: AppContext): Promise<void> {
  const token = await readSessionToken(c)
  if (token !== null) await endSession(c.var.store.db, token)
}
