import { findUserByEmail } from '../../accounts/find-user.ts'
import { findUsernameProblem } from '../../accounts/profile/usernames.ts'
import { findSignInLink, tryCountEmail, setSignInLinkUsername } from '../../accounts/sign-in/email-links.ts'
import type { AppContext } from '../../env.ts'
import { type AppError, rateLimited } from '../../errors.ts'
import { seeOther } from '../layout/answer.ts'
import { privatePage } from '../layout/private-page.tsx'
import { findFieldProblem, isInvalidForm } from '../layout/problem.tsx'
import { askedCookie, authFor, endOwnSession, expiredAskedCookie, waysOf } from './auth-for-request.ts'
import { signInMail } from './emails.tsx'
import {
  CheckMailPage,
  ChooseNamePage,
  ContinuePage,
  DeadLinkPage,
  type EntryProblems,
  SignInPage,
  SuspendedPage,
} from './sign-in-pages.tsx'
import { usernameWords } from './username-messages.ts'

const LINK_PAUSE_SECONDS = 15 * 60

interface Entry {
  readonly email: string
  readonly username: string | null
  readonly back: string
}

/**
 * Sends a link to an address, and shows the browser that it asked. What happens is the same whether there
 * is an account or not; only the mail says which.
 *
 * @throws AppError `rate_limited` when the address had enough mails lately.
 */
export async function sendLink(c: AppContext, { email, username, back }: Entry): Promise<Response> {
  const { now, siteUrl, store } = c.var
  const { sendMail } = waysOf(c)
  let token = ''
  const auth = await authFor(c, (made) => {
    token = made
  })
  if (sendMail === null)
    return privatePage(c, <SignInPage ways={waysOf(c)} back={back} signedIn={false} />, {
      status: 404,
    })
  if (!(await tryCountEmail(store.db, email, now))) throw rateLimited(LINK_PAUSE_SECONDS)
  await auth.api.signInMagicLink({
    body: { email, ...(username !== null && { name: username }) },
    headers: c.req.raw.headers,
  })
  const account = await findUserByEmail(store.db, email)
  const query = new URLSearchParams({ token, ...(back !== '/' && { return: back }) })
  await sendMail(await signInMail(email, `${siteUrl}/sign-in/link?${query}`, account?.username ?? null))
  const response = await privatePage(c, <CheckMailPage email={email} signedIn={c.var.hasSessionCookie} />)
  response.headers.append('Set-Cookie', await askedCookie(siteUrl, token))
  return response
}

/** Signs the browser in by a link, which is used up by that, and leads on. */
async function followLink(c: AppContext, token: string, back: string): Promise<Response> {
  const { siteUrl } = c.var
  const signedIn = c.var.hasSessionCookie
  const auth = await authFor(c)
  const response = await auth.api.magicLinkVerify({
    query: { token },
    headers: c.req.raw.headers,
    asResponse: true,
  })
  if (response.status !== 200) {
    const { code } = (await response.json().catch(() => ({}))) as { code?: string }
    if (code === 'suspended') return privatePage(c, <SuspendedPage signedIn={signedIn} />, { status: 403 })
    return privatePage(c, <DeadLinkPage signedIn={signedIn} />, { status: 400 })
  }
  await endOwnSession(c)
  return seeOther(c, back, [...response.headers.getSetCookie(), expiredAskedCookie(siteUrl)])
}

interface FollowedLink {
  readonly token: string
  readonly back: string
  /** Whether the browser may be signed in without being asked. */
  readonly sure: boolean
  /** The name that was chosen on the page that asks for one. */
  readonly chosen?: string | undefined
}

/** What there is to do before a link signs somebody in: an account needs a name, and another browser a question. */
export async function openLink(
  c: AppContext,
  { token, back, sure, chosen }: FollowedLink,
): Promise<Response> {
  const { now, store } = c.var
  const signedIn = c.var.hasSessionCookie
  const link = await findSignInLink(store.db, { token, now })
  if (!link) return privatePage(c, <DeadLinkPage signedIn={signedIn} />, { status: 400 })
  const { email } = link
  if (!(await findUserByEmail(store.db, email))) {
    const username = chosen ?? link.username
    const problem = username === null ? null : await findUsernameProblem(store.db, username)
    if (username === null || problem !== null) {
      const choice = { token, back, email, signedIn, username: username ?? undefined }
      const words = problem === null ? undefined : usernameWords(problem)
      return privatePage(c, <ChooseNamePage {...choice} problem={words} />, {
        status: problem === null ? 200 : 400,
      })
    }
    if (chosen !== undefined) await setSignInLinkUsername(store.db, token, chosen)
  }
  if (sure) return followLink(c, token, back)
  return privatePage(c, <ContinuePage token={token} back={back} email={email} signedIn={signedIn} />)
}

/** Returns true for errors that the sign-in and sign-up forms show. A bug gets the error page. */
export const isEntryError = (error: AppError): boolean => error.code !== 'internal_error'

/** Returns what a form says that sent no link: what is wrong with its fields, or why the email wasn't sent. */
export function toEntryProblems(error: AppError): EntryProblems {
  if (isInvalidForm(error)) {
    return { email: findFieldProblem(error, 'email'), username: findFieldProblem(error, 'username') }
  }
  return {
    general:
      error.code === 'rate_limited'
        ? 'You’ve requested too many links. Check your email, or try again in 15 minutes.'
        : 'We couldn’t send the email. Try again.',
  }
}
