import { Hono } from 'hono'
import { findUsernameProblem } from '../../accounts/profile/usernames.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { limitBody } from '../../http/body-limit.ts'
import { requireThisSite } from '../../http/origin-check.ts'
import { clientAddress, limitRate } from '../../http/rate-limits.ts'
import { expiredSessionCookie } from '../../http/session-cookie.ts'
import { answer, seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { MAX_ACCOUNT_FORM_BYTES, readFields } from '../layout/form.ts'
import { PRIVATE_HEADERS, privatePage } from '../layout/private-page.tsx'
import { invalidForm } from '../layout/problem.tsx'
import { returnPath } from '../layout/return-path.ts'
import { submitForm } from '../layout/submit-form.ts'
import { askedHere, authFor, endOwnSession, waysOf } from './auth-for-request.ts'
import { isEmail } from './email-address.ts'
import { formatGitHubError, redirectToGitHub } from './github-redirect.ts'
import { isEntryError, openLink, sendLink, toEntryProblems } from './sign-in-links.tsx'
import { SignInPage, SignOutPage, SignUpPage } from './sign-in-pages.tsx'
import { usernameWords } from './username-messages.ts'

const ATTEMPTS = { limit: 30, period: 60 }

const limitAttempts = (c: AppContext) => limitRate(c.env.SIGN_IN_LIMIT, clientAddress(c), ATTEMPTS)

const INVALID_EMAIL = 'Enter a valid email address.'

export const signIn = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/sign-in', async (c) => {
    const code = c.req.query('error')
    const back = returnPath(c.req.query('return'))
    const signedIn = (await c.var.identity.ask()) !== null
    if (code !== undefined) {
      const problems = { general: formatGitHubError(code) }
      return privatePage(c, <SignInPage ways={waysOf(c)} {...{ back, signedIn, problems }} />, {
        status: 400,
      })
    }
    return signedIn
      ? seeOther(c, back)
      : privatePage(c, <SignInPage ways={waysOf(c)} {...{ back, signedIn }} />)
  })
  .get('/sign-up', async (c) => {
    const back = returnPath(c.req.query('return'))
    const signedIn = (await c.var.identity.ask()) !== null
    return signedIn
      ? seeOther(c, back)
      : privatePage(c, <SignUpPage ways={waysOf(c)} {...{ back, signedIn }} />)
  })
  .get('/sign-up/username', async (c) => {
    await limitRate(c.env.NAME_LIMIT, clientAddress(c), { limit: 120, period: 60 })
    const problem = await findUsernameProblem(c.var.store.db, c.req.query('name') ?? '')
    const body = JSON.stringify({ problem: problem && usernameWords(problem) })
    return answer(c, body, { headers: { ...PRIVATE_HEADERS, 'Content-Type': 'application/json' } })
  })
  .post('/sign-in', requireThisSite, limitBody(MAX_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
    const email = (fields.get('email') ?? '').trim().toLowerCase()
    const back = returnPath(fields.get('return'))
    return submitForm(c, {
      submit: () => {
        if (!isEmail(email)) throw invalidForm({ email: INVALID_EMAIL })
        return sendLink(c, { email, username: null, back })
      },
      handles: isEntryError,
      showAgain: (error, options) => {
        const typed = { back, email, problems: toEntryProblems(error), signedIn: c.var.hasSessionCookie }
        return privatePage(c, <SignInPage ways={waysOf(c)} {...typed} />, options)
      },
    })
  })
  .post('/sign-up', requireThisSite, limitBody(MAX_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
    const email = (fields.get('email') ?? '').trim().toLowerCase()
    const username = (fields.get('username') ?? '').trim()
    const back = returnPath(fields.get('return'))
    return submitForm(c, {
      submit: async () => {
        const problem = await findUsernameProblem(c.var.store.db, username)
        if (isEmail(email) && problem === null) return sendLink(c, { email, username, back })
        throw invalidForm({
          ...(!isEmail(email) && { email: INVALID_EMAIL }),
          ...(problem !== null && { username: usernameWords(problem) }),
        })
      },
      handles: isEntryError,
      showAgain: (error, options) => {
        const problems = toEntryProblems(error)
        const typed = { back, email, username, problems, signedIn: c.var.hasSessionCookie }
        return privatePage(c, <SignUpPage ways={waysOf(c)} {...typed} />, options)
      },
    })
  })
  .get('/sign-in/link', async (c) => {
    const token = c.req.query('token') ?? ''
    // Whatever looks at links ahead of people does not hold the cookie; a HEAD changes nothing anyway.
    const sure = c.req.method === 'GET' && (await askedHere(c, token))
    return openLink(c, { token, back: returnPath(c.req.query('return')), sure })
  })
  .post('/sign-in/link', requireThisSite, limitBody(MAX_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
    const token = fields.get('token') ?? ''
    const back = returnPath(fields.get('return'))
    return openLink(c, { token, back, sure: true, chosen: fields.get('username')?.trim() })
  })
  .post('/sign-in/github', requireThisSite, limitBody(MAX_ACCOUNT_FORM_BYTES), async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
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
    return redirectToGitHub(c, response)
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
  .get('/sign-out', (c) => privatePage(c, <SignOutPage signedIn={c.var.hasSessionCookie} />))
  .post('/sign-out', requireThisSite, async (c) => {
    await endOwnSession(c)
    return seeOther(c, '/', [expiredSessionCookie(c.var.siteUrl)])
  })
