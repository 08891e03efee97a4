import { findUserByEmail } from '../../accounts/find-user.ts'
import { countEmail, countOwnEmail } from '../../accounts/sign-in/email-limits.ts'
import { findSignInLink, setSignInLinkUsername } from '../../accounts/sign-in/email-links.ts'
import { findUsernameProblem } from '../../accounts/usernames.ts'
import type { AppContext } from '../../env.ts'
import { getNetwork } from '../../http/limits.ts'
import { privatePage, seeOther } from '../layout/page.tsx'
import { createLinkCookie, expiredLinkCookie, findKnownBrowser, knownBrowserCookie } from './cookies.ts'
import { createRequestAuth, endCurrentSession } from './request-auth.ts'
import { formatUsernameProblem, getSignInMethods, loadEmails } from './sign-in-methods.ts'
import {
  CheckEmailPage,
  ChooseUsernamePage,
  ConfirmSignInPage,
  InvalidLinkPage,
  SignInPage,
  SuspendedPage,
} from './sign-in-pages.tsx'

/**
 * Counts an email that this request asks for, before it's sent.
 *
 * @param to the address. If this browser has signed in with it before, what strangers request doesn't count.
 * @throws AppError `rate_limited`.
 */
export async function countRequestedEmail(c: AppContext, to: string): Promise<void> {
  const { config, now, store } = c.var
  const secret = config.authSecret ?? ''
  const browserId = await findKnownBrowser(c, secret, to)
  if (browserId !== null) return countOwnEmail(store.db, `browser ${browserId}`, now)
  const network = config.rateLimits ? getNetwork(c) : null
  return countEmail(store.db, { to, network, secret, now })
}

interface SignInRequest {
  readonly email: string
  /** The username of a new account; null if none was entered. */
  readonly username: string | null
  readonly returnTo: string
}

/**
 * Sends a sign-in link, and marks the browser that requested it. The response doesn't show whether there is an account;
 * only the email says.
 *
 * @throws AppError `rate_limited` if too many emails were sent to the mailbox or requested from the network.
 */
export async function sendSignInLink(
  c: AppContext,
  { email, username, returnTo }: SignInRequest,
): Promise<Response> {
  const { siteUrl, store } = c.var
  const methods = getSignInMethods(c)
  let token = ''
  const auth = await createRequestAuth(c, (created) => {
    token = created
  })
  if (methods.sendEmail === null) {
    const signInPage = <SignInPage methods={methods} returnTo={returnTo} signedIn={false} />
    return privatePage(c, signInPage, { status: 404 })
  }
  await countRequestedEmail(c, email)
  await auth.api.signInMagicLink({
    body: { email, ...(username !== null && { name: username }) },
    headers: c.req.raw.headers,
  })
  const account = await findUserByEmail(store.db, email)
  const query = new URLSearchParams({ token, ...(returnTo !== '/' && { return: returnTo }) })
  const url = `${siteUrl}/sign-in/link?${query}`
  const { signInEmail } = await loadEmails()
  await methods.sendEmail(await signInEmail(email, url, account?.username ?? null))
  const response = await privatePage(c, <CheckEmailPage email={email} signedIn={c.var.hasSessionCookie} />)
  response.headers.append('Set-Cookie', await createLinkCookie(siteUrl, token))
  return response
}

interface ConsumedLink {
  readonly token: string
  readonly email: string
  readonly returnTo: string
}

/** Signs the browser in, which consumes the link, and redirects. */
async function consumeSignInLink(c: AppContext, { token, email, returnTo }: ConsumedLink): Promise<Response> {
  const { config, hasSessionCookie: signedIn, siteUrl } = c.var
  const auth = await createRequestAuth(c)
  const response = await auth.api.magicLinkVerify({
    query: { token },
    headers: c.req.raw.headers,
    asResponse: true,
  })
  if (response.status !== 200) {
    const { code } = (await response.json().catch(() => ({}))) as { code?: string }
    if (code === 'suspended') return privatePage(c, <SuspendedPage signedIn={signedIn} />, { status: 403 })
    return privatePage(c, <InvalidLinkPage signedIn={signedIn} />, { status: 400 })
  }
  await endCurrentSession(c)
  return seeOther(c, returnTo, [
    ...response.headers.getSetCookie(),
    expiredLinkCookie(siteUrl),
    await knownBrowserCookie(c, config.authSecret ?? '', email),
  ])
}

interface OpenedLink {
  readonly token: string
  readonly returnTo: string
  /** True if the browser may be signed in without asking. */
  readonly confirmed: boolean
  /** The username entered on the page that asks for one. */
  readonly chosenUsername?: string | undefined
}

/** Follows a sign-in link. First asks for a username if a new account needs one, and for confirmation in another browser. */
export async function openSignInLink(
  c: AppContext,
  { token, returnTo, confirmed, chosenUsername }: OpenedLink,
): Promise<Response> {
  const { now, store } = c.var
  const signedIn = c.var.hasSessionCookie
  const link = await findSignInLink(store.db, { token, now })
  if (!link) return privatePage(c, <InvalidLinkPage signedIn={signedIn} />, { status: 400 })
  const { email } = link
  if (!(await findUserByEmail(store.db, email))) {
    const username = chosenUsername ?? link.username
    const problem = username === null ? null : await findUsernameProblem(store.db, username)
    if (username === null || problem !== null) {
      const props = { token, returnTo, email, signedIn, username: username ?? undefined }
      const message = problem === null ? undefined : formatUsernameProblem(problem)
      return privatePage(c, <ChooseUsernamePage {...props} problem={message} />, {
        status: problem === null ? 200 : 400,
      })
    }
    if (chosenUsername !== undefined) await setSignInLinkUsername(store.db, token, chosenUsername)
  }
  if (confirmed) return consumeSignInLink(c, { token, email, returnTo })
  return privatePage(
    c,
    <ConfirmSignInPage token={token} returnTo={returnTo} email={email} signedIn={signedIn} />,
  )
}
