import { type Context, Hono } from 'hono'
import { findSignInLink, mayMail, nameSignInLink } from '../accounts/links.ts'
import { findUserByEmail } from '../accounts/rows.ts'
import { findUsernameProblem } from '../accounts/usernames.ts'
import type { AppEnv } from '../env.ts'
import { AppError, rateLimited } from '../errors.ts'
import { requireThisSite } from '../middleware/origin.ts'
import { clientAddress, limitRate } from '../middleware/rate-limit.ts'
import {
  askedCookie,
  askedHere,
  authFor,
  endOwnSession,
  expiredAskedCookie,
  expiredSessionCookie,
  waysOf,
} from './auth.ts'
import { isEmail } from './email.ts'
import { formFields, formLimit, MOST_ACCOUNT_FORM_BYTES } from './form.ts'
import { signInMail } from './mails.tsx'
import { gitHubWords, leadToGitHub, OWN, ownPage } from './own-page.tsx'
import { answer, answerErrorPage, seeOther, toLoggedError } from './respond.tsx'
import { returnPath } from './return-path.ts'
import {
  CheckMailPage,
  ChooseNamePage,
  ContinuePage,
  DeadLinkPage,
  type EntryProblems,
  SignInPage,
  SignOutPage,
  SignUpPage,
  SuspendedPage,
} from './sign-in-pages.tsx'
import { usernameWords } from './username-words.ts'

const ATTEMPTS = { limit: 30, period: 60 }

const limitAttempts = (c: Context<AppEnv>) => limitRate(c.env.SIGN_IN_LIMIT, clientAddress(c), ATTEMPTS)

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
async function sendLink(c: Context<AppEnv>, { email, username, back }: Entry): Promise<Response> {
  const { now, siteUrl, store } = c.var
  const { sendMail } = waysOf(c)
  let token = ''
  const auth = await authFor(c, (made) => {
    token = made
  })
  if (sendMail === null) return ownPage(c, <SignInPage ways={waysOf(c)} back={back} signedIn={false} />, 404)
  if (!(await mayMail(store.db, email, now))) throw rateLimited(LINK_PAUSE_SECONDS)
  await auth.api.signInMagicLink({
    body: { email, ...(username !== null && { name: username }) },
    headers: c.req.raw.headers,
  })
  const account = await findUserByEmail(store.db, email)
  const query = new URLSearchParams({ token, ...(back !== '/' && { return: back }) })
  await sendMail(await signInMail(email, `${siteUrl}/sign-in/link?${query}`, account?.username ?? null))
  const response = await ownPage(c, <CheckMailPage email={email} signedIn={c.var.holdsSession} />)
  response.headers.append('Set-Cookie', await askedCookie(siteUrl, token))
  return response
}

const LINK_PAUSE_SECONDS = 15 * 60

/** Signs the browser in by a link, which is used up by that, and leads on. */
async function followLink(c: Context<AppEnv>, token: string, back: string): Promise<Response> {
  const { siteUrl } = c.var
  const signedIn = c.var.holdsSession
  const auth = await authFor(c)
  const response = await auth.api.magicLinkVerify({
    query: { token },
    headers: c.req.raw.headers,
    asResponse: true,
  })
  if (response.status !== 200) {
    const { code } = (await response.json().catch(() => ({}))) as { code?: string }
    if (code === 'suspended') return ownPage(c, <SuspendedPage signedIn={signedIn} />, 403)
    return ownPage(c, <DeadLinkPage signedIn={signedIn} />, 400)
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
async function openLink(c: Context<AppEnv>, { token, back, sure, chosen }: FollowedLink): Promise<Response> {
  const { now, store } = c.var
  const signedIn = c.var.holdsSession
  const link = await findSignInLink(store.db, { token, now })
  if (!link) return ownPage(c, <DeadLinkPage signedIn={signedIn} />, 400)
  const { email } = link
  if (!(await findUserByEmail(store.db, email))) {
    const username = chosen ?? link.username
    const problem = username === null ? null : await findUsernameProblem(store.db, username)
    if (username === null || problem !== null) {
      const choice = { token, back, email, signedIn, username: username ?? undefined }
      const words = problem === null ? undefined : usernameWords(problem)
      return ownPage(c, <ChooseNamePage {...choice} problem={words} />, problem === null ? 200 : 400)
    }
    if (chosen !== undefined) await nameSignInLink(store.db, token, chosen)
  }
  if (sure) return followLink(c, token, back)
  return ownPage(c, <ContinuePage token={token} back={back} email={email} signedIn={signedIn} />)
}

const NO_EMAIL = 'This is no e-mail address.'

/** Shows the form again where the mail did not go out; what else was thrown goes on. */
const mailProblem =
  (c: Context<AppEnv>, again: (problems: EntryProblems, error: AppError) => Promise<Response>) =>
  (thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown
    const error = toLoggedError(thrown, c.var.requestId)
    const general =
      error.code === 'rate_limited'
        ? 'Enough links went to this address lately. Look into your mail, or wait a quarter of an hour.'
        : 'The mail could not be sent. Try again.'
    return again({ general }, error)
  }

export const signIn = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/sign-in', async (c) => {
    const code = c.req.query('error')
    const back = returnPath(c.req.query('return'))
    const signedIn = (await c.var.identity.ask()) !== null
    if (code !== undefined) {
      const problems = { general: gitHubWords(code) }
      return ownPage(c, <SignInPage ways={waysOf(c)} {...{ back, signedIn, problems }} />, 400)
    }
    return signedIn ? seeOther(c, back) : ownPage(c, <SignInPage ways={waysOf(c)} {...{ back, signedIn }} />)
  })
  .get('/sign-up', async (c) => {
    const back = returnPath(c.req.query('return'))
    const signedIn = (await c.var.identity.ask()) !== null
    return signedIn ? seeOther(c, back) : ownPage(c, <SignUpPage ways={waysOf(c)} {...{ back, signedIn }} />)
  })
  .get('/sign-up/username', async (c) => {
    await limitRate(c.env.NAME_LIMIT, clientAddress(c), { limit: 120, period: 60 })
    const problem = await findUsernameProblem(c.var.store.db, c.req.query('name') ?? '')
    const body = JSON.stringify({ problem: problem && usernameWords(problem) })
    return answer(c, body, { headers: { ...OWN, 'Content-Type': 'application/json' } })
  })
  .post('/sign-in', requireThisSite, formLimit(MOST_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await formFields(c)
    const email = (fields.get('email') ?? '').trim().toLowerCase()
    const back = returnPath(fields.get('return'))
    const again = (problems: EntryProblems, error?: AppError) => {
      const typed = { back, email, problems, signedIn: c.var.holdsSession }
      return ownPage(c, <SignInPage ways={waysOf(c)} {...typed} />, error?.status ?? 400, error?.headers)
    }
    if (!isEmail(email)) return again({ email: NO_EMAIL })
    return sendLink(c, { email, username: null, back }).catch(mailProblem(c, again))
  })
  .post('/sign-up', requireThisSite, formLimit(MOST_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await formFields(c)
    const email = (fields.get('email') ?? '').trim().toLowerCase()
    const username = (fields.get('username') ?? '').trim()
    const back = returnPath(fields.get('return'))
    const again = (problems: EntryProblems, error?: AppError) => {
      const typed = { back, email, username, problems, signedIn: c.var.holdsSession }
      return ownPage(c, <SignUpPage ways={waysOf(c)} {...typed} />, error?.status ?? 400, error?.headers)
    }
    const problem = await findUsernameProblem(c.var.store.db, username)
    if (isEmail(email) && problem === null) {
      return sendLink(c, { email, username, back }).catch(mailProblem(c, again))
    }
    return again({
      ...(!isEmail(email) && { email: NO_EMAIL }),
      ...(problem !== null && { username: usernameWords(problem) }),
    })
  })
  .get('/sign-in/link', async (c) => {
    const token = c.req.query('token') ?? ''
    // Whatever looks at links ahead of people does not hold the cookie; a HEAD changes nothing anyway.
    const sure = c.req.method === 'GET' && (await askedHere(c, token))
    return openLink(c, { token, back: returnPath(c.req.query('return')), sure })
  })
  .post('/sign-in/link', requireThisSite, formLimit(MOST_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await formFields(c)
    const token = fields.get('token') ?? ''
    const back = returnPath(fields.get('return'))
    return openLink(c, { token, back, sure: true, chosen: fields.get('username')?.trim() })
  })
  .post('/sign-in/github', requireThisSite, formLimit(MOST_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await formFields(c)
    const auth = await authFor(c)
    const response = await auth.api.signInSocial({
      body: {
        provider: 'github',
        callbackURL: returnPath(fields.get('return')),
        newUserCallbackURL: '/account',
        errorCallbackURL: '/sign-in',
        disableRedirect: true,
        additionalData: { username: fields.get('username')?.trim() ?? '' },
      },
      headers: c.req.raw.headers,
      asResponse: true,
    })
    return leadToGitHub(c, response)
  })
  .get('/sign-in/callback/github', async (c) => {
    const auth = await authFor(c)
    const response = await auth.handler(c.req.raw)
    const cookies = response.headers.getSetCookie()
    // Whoever signs in as somebody else here is no longer who they were; connecting GitHub changes nothing.
    if (cookies.some((cookie) => cookie.includes('.session_token='))) await endOwnSession(c)
    const location = response.headers.get('Location')
    if (location !== null) return seeOther(c, location, cookies)
    const { code = 'unknown' } = (await response.json().catch(() => ({}))) as { code?: string }
    return seeOther(c, `/sign-in?${new URLSearchParams({ error: code })}`, cookies)
  })
  .get('/sign-out', (c) => ownPage(c, <SignOutPage signedIn={c.var.holdsSession} />))
  .post('/sign-out', requireThisSite, async (c) => {
    await endOwnSession(c)
    return seeOther(c, '/', [expiredSessionCookie(c.var.siteUrl)])
  })
