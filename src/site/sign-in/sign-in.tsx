import { Hono } from 'hono'
import { findUsernameProblem } from '../../accounts/usernames.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import type { AppError } from '../../errors.ts'
import { answer } from '../../http/answers.ts'
import { limitBody } from '../../http/bodies.ts'
import { expiredSessionCookie } from '../../http/cookies.ts'
import { getNetwork, limitRate } from '../../http/limits.ts'
import { requireThisSite } from '../../http/origin.ts'
import {
  answerErrorPage,
  findFieldProblem,
  formatError,
  invalidForm,
  isInvalidForm,
} from '../layout/errors.tsx'
import { MAX_ACCOUNT_FORM_BYTES, readFields, submitForm } from '../layout/form.ts'
import { PRIVATE_HEADERS, privatePage, returnPath, seeOther } from '../layout/page.tsx'
import { hasRequestedLink } from './cookies.ts'
import { createRequestAuth, endCurrentSession, formatGitHubError, redirectToGitHub } from './request-auth.ts'
import { openSignInLink, sendSignInLink } from './sign-in-link.tsx'
import { formatUsernameProblem, getSignInMethods, isEmail } from './sign-in-methods.ts'
import { SignInPage, type SignInProblems, SignOutPage, SignUpPage } from './sign-in-pages.tsx'

const limitAttempts = (c: AppContext) => limitRate(c, 'sign-ins', getNetwork(c))

const INVALID_EMAIL = 'Enter a valid email address.'

/** Returns true for errors that the sign-in and sign-up forms show. A bug gets the error page. */
const isSignInError = (error: AppError): boolean => error.code !== 'internal_error'

/** Returns the messages to show with a form: what is wrong with its fields, or why the email wasn't sent. */
function toSignInProblems(error: AppError): SignInProblems {
  if (isInvalidForm(error)) {
    return { email: findFieldProblem(error, 'email'), username: findFieldProblem(error, 'username') }
  }
  return {
    general: error.code === 'rate_limited' ? formatError(error) : 'We couldn’t send the email. Try again.',
  }
}

export const signIn = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/sign-in', async (c) => {
    const code = c.req.query('error')
    const returnTo = returnPath(c.req.query('return'))
    const signedIn = (await c.var.identity.ask()) !== null
    if (code !== undefined) {
      const problems = { general: formatGitHubError(code) }
      return privatePage(
        c,
        <SignInPage methods={getSignInMethods(c)} {...{ returnTo, signedIn, problems }} />,
        {
          status: 400,
        },
      )
    }
    return signedIn
      ? seeOther(c, returnTo)
      : privatePage(c, <SignInPage methods={getSignInMethods(c)} {...{ returnTo, signedIn }} />)
  })
  .get('/sign-up', async (c) => {
    const returnTo = returnPath(c.req.query('return'))
    const signedIn = (await c.var.identity.ask()) !== null
    return signedIn
      ? seeOther(c, returnTo)
      : privatePage(c, <SignUpPage methods={getSignInMethods(c)} {...{ returnTo, signedIn }} />)
  })
  .get('/sign-up/username', async (c) => {
    await limitRate(c, 'usernames', getNetwork(c))
    const problem = await findUsernameProblem(c.var.store.db, c.req.query('name') ?? '')
    const body = JSON.stringify({ problem: problem && formatUsernameProblem(problem) })
    return answer(c, body, { headers: { ...PRIVATE_HEADERS, 'Content-Type': 'application/json' } })
  })
  .post('/sign-in', requireThisSite, limitBody(MAX_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
    const email = (fields.get('email') ?? '').trim().toLowerCase()
    const returnTo = returnPath(fields.get('return'))
    return submitForm(c, {
      submit: async () => {
        if (!(await isEmail(email))) throw invalidForm({ email: INVALID_EMAIL })
        return sendSignInLink(c, { email, username: null, returnTo })
      },
      handles: isSignInError,
      showAgain: (error, options) => {
        const typed = { returnTo, email, problems: toSignInProblems(error), signedIn: c.var.hasSessionCookie }
        return privatePage(c, <SignInPage methods={getSignInMethods(c)} {...typed} />, options)
      },
    })
  })
  .post('/sign-up', requireThisSite, limitBody(MAX_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
    const email = (fields.get('email') ?? '').trim().toLowerCase()
    const username = (fields.get('username') ?? '').trim()
    const returnTo = returnPath(fields.get('return'))
    return submitForm(c, {
      submit: async () => {
        const [isValidEmail, problem] = await Promise.all([
          isEmail(email),
          findUsernameProblem(c.var.store.db, username),
        ])
        if (isValidEmail && problem === null) return sendSignInLink(c, { email, username, returnTo })
        throw invalidForm({
          ...(!isValidEmail && { email: INVALID_EMAIL }),
          ...(problem !== null && { username: formatUsernameProblem(problem) }),
        })
      },
      handles: isSignInError,
      showAgain: (error, options) => {
        const problems = toSignInProblems(error)
        const typed = { returnTo, email, username, problems, signedIn: c.var.hasSessionCookie }
        return privatePage(c, <SignUpPage methods={getSignInMethods(c)} {...typed} />, options)
      },
    })
  })
  .get('/sign-in/link', async (c) => {
    const token = c.req.query('token') ?? ''
    // A link scanner doesn't have the cookie, so it can't consume the link. Neither can a HEAD request.
    const confirmed = c.req.method === 'GET' && (await hasRequestedLink(c, token))
    return openSignInLink(c, { token, returnTo: returnPath(c.req.query('return')), confirmed })
  })
  .post('/sign-in/link', requireThisSite, limitBody(MAX_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
    const token = fields.get('token') ?? ''
    const returnTo = returnPath(fields.get('return'))
    const chosenUsername = fields.get('username')?.trim()
    return openSignInLink(c, { token, returnTo, confirmed: true, chosenUsername })
  })
  .post('/sign-in/github', requireThisSite, limitBody(MAX_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
    const auth = await createRequestAuth(c)
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
    return redirectToGitHub(c, response)
  })
  .get('/sign-in/callback/github', async (c) => {
    const auth = await createRequestAuth(c)
    const response = await auth.handler(c.req.raw)
    const cookies = response.headers.getSetCookie()
    // Signing in replaces the browser's session. Connecting GitHub keeps it.
    if (cookies.some((cookie) => cookie.includes('.session_token='))) await endCurrentSession(c)
    const location = response.headers.get('Location')
    if (location !== null) return seeOther(c, location, cookies)
    const { code = 'unknown' } = (await response.json().catch(() => ({}))) as { code?: string }
    return seeOther(c, `/sign-in?${new URLSearchParams({ error: code })}`, cookies)
  })
  .get('/sign-out', (c) => privatePage(c, <SignOutPage signedIn={c.var.hasSessionCookie} />))
  .post('/sign-out', requireThisSite, async (c) => {
    await endCurrentSession(c)
    return seeOther(c, '/', [expiredSessionCookie(c.var.siteUrl)])
  })
