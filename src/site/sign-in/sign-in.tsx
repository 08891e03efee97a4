import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { serialize } from 'hono/utils/cookie'
import { nanoid } from 'nanoid'
import { endSession } from '../../accounts/sessions.ts'
import {
  countEmail,
  countOwnEmail,
  type EmailPermission,
  toMailbox,
} from '../../accounts/sign-in/email-limits.ts'
import {
  createSignInLink,
  findSignInLink,
  LINK_LIFETIME_SECONDS,
  signInByLink,
} from '../../accounts/sign-in/links.ts'
import { findUsernameProblem, type UsernameProblem } from '../../accounts/usernames.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import type { AppError } from '../../errors.ts'
import type { AnswerOptions } from '../../http/answers.ts'
import { rejectOtherMethods } from '../../http/answers.ts'
import { limitBody } from '../../http/bodies.ts'
import {
  cookieOptions,
  cookiePrefix,
  createSessionCookie,
  expiredCookie,
  expiredSessionCookie,
  MAX_COOKIE_SECONDS,
  requireAuthSecret,
} from '../../http/cookies.ts'
import { readSessionToken, requireThisSite } from '../../http/identity.ts'
import { getNetwork, limitRate } from '../../http/limits.ts'
import { hashSecret, signText } from '../../shared/hashing.ts'
import { admits, offersSignUp } from '../../shared/sign-up.ts'
import { answerErrorPage, getProblems, invalidForm, type Problems } from '../../ui/errors.tsx'
import { answerJson, privatePage, returnPath, seeOther, withCookies } from '../../ui/page.tsx'
import { MAX_ACCOUNT_FORM_BYTES, readFields, submitForm } from '../../ui/submitted-form.ts'
import { isEmail, signInEmail } from '../emails.tsx'
import { comeBackFromGitHub, redirectToGitHub } from './github-sign-in.ts'
import { comeBackFromProvider, leadToProvider } from './oidc-sign-in.tsx'
import {
  describeSignIn,
  formatProviderError,
  formatUsernameProblem,
  getSignInMethods,
} from './sign-in-methods.ts'
import type { SignInProps } from './sign-in-pages.tsx'
import {
  CheckEmailPage,
  InvalidLinkPage,
  NoAccountPage,
  OpenedLinkPage,
  SignInPage,
  SignOutPage,
  SignUpClosedPage,
  SignUpPage,
  SuspendedPage,
} from './sign-in-pages.tsx'

const MAX_MAILBOXES = 5

const SEPARATOR = '.'

const getKnownCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.known`

/** The proofs are a signature for each mailbox that the browser has signed in with, the latest first. */
function readKnownCookie(c: AppContext) {
  const [id, ...proofs] = getCookie(c, getKnownCookieName(c.var.siteUrl))?.split(SEPARATOR) ?? []
  return id ? { id, proofs: proofs.slice(0, MAX_MAILBOXES) } : null
}

/** Doesn't reveal the address. */
const createProof = (secret: string, browserId: string, email: string): Promise<string> =>
  signText(secret, `known-browser ${browserId} ${toMailbox(email)}`)

/** With it, this browser can request links, however many others have. Signing out doesn't delete it. */
async function createKnownCookie(c: AppContext, secret: string, email: string): Promise<string> {
  const { siteUrl } = c.var
  const browser = readKnownCookie(c) ?? { id: nanoid(), proofs: [] }
  const proof = await createProof(secret, browser.id, email)
  const proofs = [proof, ...browser.proofs.filter((other) => other !== proof)].slice(0, MAX_MAILBOXES)
  return serialize(getKnownCookieName(siteUrl), [browser.id, ...proofs].join(SEPARATOR), {
    ...cookieOptions(siteUrl),
    maxAge: MAX_COOKIE_SECONDS,
  })
}

/** If this browser has signed in with the address before, what strangers request doesn't count. */
export async function countRequestedEmail(
  c: AppContext,
  to: string,
  { signsIn }: { signsIn: boolean },
): Promise<EmailPermission> {
  const { config, now, store } = c.var
  const secret = requireAuthSecret(c)
  const onlyAccounts = signsIn && !admits(config.signUp, to)
  const browser = readKnownCookie(c)
  const maxPerHour = config.maxEmailsPerHour
  if (browser?.proofs.includes(await createProof(secret, browser.id, to))) {
    await countOwnEmail(store.db, { owner: `browser ${browser.id}`, maxPerHour, now })
    return { maySend: true, onlyAccounts }
  }
  const network = config.rateLimits ? getNetwork(c) : null
  return countEmail(store.db, { to, signsIn, onlyAccounts, network, secret, maxPerHour, now })
}

/** The cookie of the browser that requested a link: the hash of the link's token. */
const getLinkCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.asked`

const hasRequestedLink = async (c: AppContext, token: string): Promise<boolean> =>
  getCookie(c, getLinkCookieName(c.var.siteUrl)) === (await hashSecret(token))

async function showForm(
  c: AppContext,
  Page: typeof SignInPage | typeof SignUpPage,
  props: Omit<SignInProps, 'methods'>,
  options?: AnswerOptions,
): Promise<Response> {
  return privatePage(c, <Page methods={getSignInMethods(c)} {...props} />, options)
}

/** Only the email tells whether there is an account. @throws AppError `rate_limited`. */
async function sendSignInLink(
  c: AppContext,
  { email, username, returnTo }: { email: string; username: string | null; returnTo: string },
): Promise<Response> {
  const { config, now, siteUrl, store } = c.var
  const { signUp } = config
  const { sendEmail } = getSignInMethods(c)
  if (sendEmail === null) return showForm(c, SignInPage, { returnTo, signedIn: false }, { status: 404 })
  const { maySend, onlyAccounts } = await countRequestedEmail(c, email, { signsIn: true })
  const link = await createSignInLink(store.db, { email, username, now })
  const query = new URLSearchParams({ token: link.token, ...(returnTo !== '/' && { return: returnTo }) })
  const message = await signInEmail(
    { site: c.var.config.site, to: email, url: `${siteUrl}/sign-in/link?${query}` },
    link.accountUsername,
  )
  // Where only some addresses get emails, the answer must not tell by its text or its time whether this one does.
  const isForSome = onlyAccounts || signUp.domains !== null
  if (!isForSome) await sendEmail(message)
  else if (maySend && (link.accountUsername !== null || admits(signUp, email)))
    store.defer(() => sendEmail(message))
  const action = username === null ? '/sign-in' : '/sign-up'
  const again = {
    action,
    hidden: { email, ...(username !== null && { username }), return: returnTo },
    other: `${action}?${new URLSearchParams({ return: returnTo })}`,
  }
  const response = await privatePage(c, <CheckEmailPage email={email} isForSome={isForSome} again={again} />)
  const cookie = serialize(getLinkCookieName(siteUrl), await hashSecret(link.token), {
    ...cookieOptions(siteUrl),
    maxAge: LINK_LIFETIME_SECONDS,
  })
  return withCookies(response, cookie)
}

interface OpenedLink {
  readonly token: string
  readonly returnTo: string
  readonly chosenUsername?: string | undefined
}

/** Asks for confirmation in every browser but the one that requested the link, so a link scanner can't consume it. */
async function openSignInLink(
  c: AppContext,
  { token, returnTo, chosenUsername }: OpenedLink,
): Promise<Response> {
  const { config, now, siteUrl, store } = c.var
  const { signUp } = config
  const { method } = c.req
  const invalid = async () => {
    return privatePage(c, <InvalidLinkPage />, { status: 400 })
  }
  const link = config.oidc?.only ? null : await findSignInLink(store.db, { token, now })
  if (!link) return invalid()
  const { account, email } = link
  const props = { token, returnTo, email }
  if (account === null && !admits(signUp, email)) return privatePage(c, <NoAccountPage />, { status: 403 })
  const username = account === null ? (chosenUsername ?? link.username) : null
  const askForUsername = async (problem: UsernameProblem | null) => {
    const choose = { username, problem: problem && formatUsernameProblem(problem) }
    return privatePage(c, <OpenedLinkPage {...props} choose={choose} />, {
      status: problem === null ? 200 : 400,
    })
  }

  if (account === null) {
    // The username in the link was checked when it was requested. The transaction tells if someone has taken it since.
    const problem = chosenUsername === undefined ? null : await findUsernameProblem(store.db, chosenUsername)
    if (username === null || problem !== null) return askForUsername(problem)
  }
  if (method !== 'POST' && !(method === 'GET' && (await hasRequestedLink(c, token)))) {
    return privatePage(c, <OpenedLinkPage {...props} />)
  }
  const secret = requireAuthSecret(c)
  const session = await signInByLink(store.db, { token, username, signUp, ...(await describeSignIn(c)) })
  if (session === 'username taken') return askForUsername('taken')
  if (session === 'refused' && account === 'suspended') {
    return privatePage(c, <SuspendedPage />, { status: 403 })
  }
  if (session === 'refused') return invalid()
  return seeOther(c, returnTo, [
    await createSessionCookie(c, session.token, secret),
    expiredCookie(siteUrl, getLinkCookieName(siteUrl)),
    await createKnownCookie(c, secret, email),
  ])
}

const limitAttempts = (c: AppContext) => limitRate(c, 'sign-ins', getNetwork(c))

function getSignInProblems(error: AppError): Problems {
  if (error.issues || error.code === 'rate_limited') return getProblems(error)
  return { form: 'We couldn’t send the email. Try again.' }
}

async function showSignIn(c: AppContext, Page: typeof SignInPage | typeof SignUpPage): Promise<Response> {
  const code = c.req.query('error')
  const returnTo = returnPath(c.req.query('return'))
  const signedIn = (await c.var.identity.ask()) !== null
  if (code !== undefined) {
    const { oidc } = getSignInMethods(c)
    const provider = c.req.query('with') === 'oidc' && oidc !== null ? oidc : 'GitHub'
    const problems = { form: formatProviderError(code, provider) }
    return showForm(c, Page, { returnTo, signedIn, problems }, { status: 400 })
  }
  return signedIn ? seeOther(c, returnTo) : showForm(c, Page, { returnTo, signedIn })
}

async function submitSignIn(c: AppContext, Page: typeof SignInPage | typeof SignUpPage): Promise<Response> {
  await limitAttempts(c)
  const fields = await readFields(c)
  const email = (fields.get('email') ?? '').trim().toLowerCase()
  const username = Page === SignUpPage ? (fields.get('username') ?? '').trim() : null
  const returnTo = returnPath(fields.get('return'))
  return submitForm(c, {
    submit: async () => {
      const problem = username === null ? null : await findUsernameProblem(c.var.store.db, username)
      const problems = {
        ...(!isEmail(email) && { email: 'Enter a valid email address.' }),
        ...(problem !== null && { username: formatUsernameProblem(problem) }),
      }
      if (Object.keys(problems).length > 0) throw invalidForm(problems)
      return sendSignInLink(c, { email, username, returnTo })
    },
    handles: (error) => error.code !== 'internal_error',
    showAgain: (error, options) => {
      const typed = { returnTo, email, ...(username !== null && { username }) }
      const shown = { ...typed, problems: getSignInProblems(error) }
      return showForm(c, Page, shown, options)
    },
  })
}

const requireSignUp = createMiddleware<AppEnv>(async (c, next) => {
  if (offersSignUp(c.var.config.signUp)) return next()
  return privatePage(c, <SignUpClosedPage returnTo={returnPath(c.req.query('return'))} />, { status: 403 })
})

const limitForm = limitBody(MAX_ACCOUNT_FORM_BYTES)

const signIn = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/sign-in', (c) => showSignIn(c, SignInPage))
  .get('/sign-up', requireSignUp, (c) => showSignIn(c, SignUpPage))
  .get('/sign-up/username', requireSignUp, async (c) => {
    await limitRate(c, 'usernames', getNetwork(c))
    const problem = await findUsernameProblem(c.var.store.db, c.req.query('name') ?? '')
    return answerJson(c, { problem: problem && formatUsernameProblem(problem) })
  })
  .post('/sign-in', requireThisSite, limitForm, (c) => submitSignIn(c, SignInPage))
  .post('/sign-up', requireThisSite, requireSignUp, limitForm, (c) => submitSignIn(c, SignUpPage))
  .get('/sign-in/link', (c) =>
    openSignInLink(c, { token: c.req.query('token') ?? '', returnTo: returnPath(c.req.query('return')) }),
  )
  .post('/sign-in/link', requireThisSite, limitForm, async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
    return openSignInLink(c, {
      token: fields.get('token') ?? '',
      returnTo: returnPath(fields.get('return')),
      chosenUsername: fields.get('username')?.trim(),
    })
  })
  .post('/sign-in/github', requireThisSite, limitForm, async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
    return redirectToGitHub(c, {
      returnTo: returnPath(fields.get('return')),
      username: fields.get('username')?.trim() ?? '',
    })
  })
  .get('/sign-in/callback/github', comeBackFromGitHub)
  .post('/sign-in/oidc', requireThisSite, limitForm, async (c) => {
    await limitAttempts(c)
    const fields = await readFields(c)
    return leadToProvider(c, {
      returnTo: returnPath(fields.get('return')),
      username: fields.get('username')?.trim() ?? '',
    })
  })
  .get('/sign-in/callback/oidc', comeBackFromProvider)
  .get('/sign-out', async (c) => {
    return privatePage(c, <SignOutPage username={(await c.var.identity.ask())?.username} />)
  })
  .post('/sign-out', requireThisSite, async (c) => {
    const token = await readSessionToken(c)
    if (token !== null) await endSession(c.var.store.db, token)
    return seeOther(c, '/', [expiredSessionCookie(c.var.siteUrl)])
  })

export const routes = new Hono<AppEnv>().route('/', rejectOtherMethods(signIn))
