import { findAccountDetails } from '../../accounts/profile.ts'
import { endSession } from '../../accounts/sessions.ts'
import type { AppContext } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { retryRefusedGists } from '../../gists/gist-store.ts'
import { readSessionToken } from '../../http/cookies.ts'
import { truncateAddress } from '../../http/request.ts'
import { logError } from '../../platform/log.ts'
import { seeOther } from '../layout/page.tsx'
import { getSignInMethods, loadEmails } from './sign-in-methods.ts'

/** Redirects to the page at GitHub that better-auth names. */
export async function redirectToGitHub(c: AppContext, response: Response): Promise<Response> {
  const { url } = (await response.json()) as { url?: string }
  if (!response.ok || url === undefined) return seeOther(c, '/sign-in?error=unknown')
  return seeOther(c, url, response.headers.getSetCookie())
}

/** Returns the message for an error code of better-auth or GitHub. */
export function formatGitHubError(code: string): string {
  switch (code) {
    case 'access_denied':
      return 'You didn’t give Regent access to your GitHub account. Try again, and allow it on GitHub.'
    case 'account_not_linked':
      return 'There’s already an account with your GitHub email address. Sign in to it by email, then connect GitHub on your account page.'
    case 'account_already_linked_to_different_user':
      return 'This GitHub account is connected to another Regent account. Disconnect it there first.'
    case 'another_account_linked':
      return 'Another GitHub account is already connected. Disconnect it first.'
    case 'email_not_found':
      return 'Your GitHub account has no verified email address. Verify one there, or sign in by email.'
    case 'suspended':
      return 'Your account is suspended.'
    default:
      return 'We couldn’t connect to your GitHub account. Try again.'
  }
}

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
  const { createAuth } = await import('../../accounts/sign-in/auth.lazy.ts')
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
