import { type ErrorHandler, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { nanoid } from 'nanoid'
import { findInvitation, getInvitationProblem, type InvitationProblem } from '../../accounts/invitations.ts'
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
import { AppError } from '../../errors.ts'
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
import { askSession, NOTHING, readSessionToken, requireThisSite } from '../../http/identity.ts'
import { limitRate } from '../../http/limits.ts'
import { getNetwork } from '../../http/network.ts'
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
  formatInvitationProblem,
  formatProviderError,
  formatUsernameProblem,
  getSignInMethods,
} from './sign-in-methods.ts'
import type { SignInProps, SignUpInvitation } from './sign-in-pages.tsx'
import {
  CheckEmailPage,
  InvalidLinkPage,
  InvitationProblemPage,
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

/** Signs the address, without revealing it. */
const createProof = (secret: string, browserId: string, email: string): Promise<string> =>
  signText(secret, `known-browser ${browserId} ${toMailbox(email)}`)

/** Creates a cookie with which this browser can request links, however many others have. Signing out doesn't delete it. */
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
  { signsIn, invited = false }: { signsIn: boolean; invited?: boolean },
): Promise<EmailPermission> {
  const { config, now, store } = c.var
  const secret = requireAuthSecret(c)
  const onlyAccounts = signsIn && !invited && !admits(config.signUp, to)
  const browser = readKnownCookie(c)
  const maxPerHour = config.maxEmailsPerHour
  if (browser?.proofs.includes(await createProof(secret, browser.id, to))) {
    await countOwnEmail(store.db, { owner: `browser ${browser.id}`, maxPerHour, now })
    return { maySend: true, onlyAccounts }
  }
  const network = config.rateLimits ? getNetwork(c) : null
  return countEmail(store.db, { to, signsIn, onlyAccounts, network, secret, maxPerHour, now })
}

/** Names the cookie of the browser that requested a link, which has the hash of the link's token. */
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

interface SignInRequest {
  readonly email: string
  readonly username: string | null
  readonly returnTo: string
  /** A new account needs it. It has been checked for this address. */
  readonly invited: SignUpInvitation | null
}

/** Only the email tells whether there is an account. @throws AppError `rate_limited`. */
async function sendSignInLink(
  c: AppContext,
  { email, username, returnTo, invited }: SignInRequest,
): Promise<Response> {
  const { config, now, siteUrl, store } = c.var
  const { signUp } = config
  const { sendEmail } = getSignInMethods(c)
  if (sendEmail === null) return showForm(c, SignInPage, { returnTo, signedIn: false }, { status: 404 })
  const { maySend, onlyAccounts } = await countRequestedEmail(c, email, {
    signsIn: true,
    invited: invited !== null,
  })
  const invitation = invited && (await hashSecret(invited.token))
  const link = await createSignInLink(store.db, { email, username, invitation, now })
  const query = new URLSearchParams({ token: link.token, ...(returnTo !== '/' && { return: returnTo }) })
  const message = await signInEmail(
    { site: c.var.config.site, to: email, url: `${siteUrl}/sign-in/link?${query}` },
    link.accountUsername,
  )
  // Where only some addresses get emails, the answer must not tell by its text or its time whether this one does.
  const isForSome = onlyAccounts || (signUp.domains !== null && invited === null)
  if (!isForSome) await sendEmail(message)
  else if (maySend && (link.accountUsername !== null || invited !== null || admits(signUp, email)))
    store.defer(() => sendEmail(message))
  const action = username === null ? '/sign-in' : '/sign-up'
  const carried = invited && { invitation: invited.token }
  const again = {
    action,
    hidden: { email, ...(username !== null && { username }), return: returnTo, ...carried },
    other: `${action}?${new URLSearchParams({ return: returnTo, ...carried })}`,
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
  const invitation = signUp.inviters && link.invitation
  if (account === null && !admits(signUp, email)) {
    if (invitation === null) return privatePage(c, <NoAccountPage />, { status: 403 })
    const invitedBy = await findInvitation(store.db, invitation)
    const problem = getInvitationProblem(invitedBy, { email, now })
    if (problem !== null) return privatePage(c, <InvitationProblemPage problem={problem} />, { status: 403 })
  }
  const username = account === null ? (chosenUsername ?? link.username) : null
  const askForUsername = async (problem: UsernameProblem | null) => {
    const choose = { username, problem: problem && formatUsernameProblem(problem) }
    return privatePage(c, <OpenedLinkPage {...props} choose={choose} />, {
      status: problem === null ? 200 : 400,
    })
  }

  if (account === null) {
    // The username in the link was checked when it was requested. The transaction tells if someone has taken it since.
    const problem =
      chosenUsername === undefined ? null : await findUsernameProblem(store.db, chosenUsername, { now })
    if (username === null || problem !== null) return askForUsername(problem)
  }
  if (method !== 'POST' && !(method === 'GET' && (await hasRequestedLink(c, token)))) {
    return privatePage(c, <OpenedLinkPage {...props} />)
  }
  const secret = requireAuthSecret(c)
  const session = await signInByLink(store.db, {
    token,
    username,
    signUp,
    invitation,
    ...(await describeSignIn(c)),
  })
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

const limitSignIns = (c: AppContext) => limitRate(c, 'sign-ins', getNetwork(c))

function getSignInProblems(error: AppError): Problems {
  if (error.issues || error.code === 'rate_limited') return getProblems(error)
  return { form: 'We couldn’t send the email. Try again.' }
}

/**
 * Finds the invitation with which somebody signs up. Returns null where they need none.
 *
 * @throws InvitationRefused, which the page for signing up answers.
 */
async function findInvited(c: AppContext, token: string | undefined): Promise<SignUpInvitation | null> {
  const { config, now, store } = c.var
  const { signUp } = config
  if (!token || signUp.inviters === null) {
    if (offersSignUp(signUp)) return null
    throw new InvitationRefused(null)
  }
  const invitation = await findInvitation(store.db, await hashSecret(token))
  const problem = getInvitationProblem(invitation, { email: null, now })
  if (problem !== null || invitation === null) throw new InvitationRefused(problem)
  return { token, invitation }
}

class InvitationRefused extends AppError {
  readonly problem: InvitationProblem | null

  constructor(problem: InvitationProblem | null) {
    super('bad_auth', 'An account takes an invitation')
    this.problem = problem
  }
}

const answerRefusedInvitation: ErrorHandler<AppEnv> = (error, c) => {
  if (!(error instanceof InvitationRefused)) return answerErrorPage(error, c)
  const { problem } = error
  const refusal =
    problem === null ? (
      <SignUpClosedPage returnTo={returnPath(c.req.query('return'))} />
    ) : (
      <InvitationProblemPage problem={problem} />
    )
  return privatePage(c, refusal, { status: 403 })
}

async function showSignIn(c: AppContext, Page: typeof SignInPage | typeof SignUpPage): Promise<Response> {
  const code = c.req.query('error')
  const returnTo = returnPath(c.req.query('return'))
  const signedIn = (await askSession(c, NOTHING)).user !== null
  const invited = Page === SignUpPage && !signedIn ? await findInvited(c, c.req.query('invitation')) : null
  if (code !== undefined) {
    const { oidc } = getSignInMethods(c)
    const provider = c.req.query('with') === 'oidc' && oidc !== null ? oidc : 'GitHub'
    const problems = { form: formatProviderError(code, provider) }
    return showForm(c, Page, { returnTo, signedIn, problems }, { status: 400 })
  }
  return signedIn ? seeOther(c, returnTo) : showForm(c, Page, { returnTo, signedIn, invited })
}

/**
 * Where only some people may sign up, nobody else finds out which usernames there are: the page of the link says
 * whether one is taken.
 */
async function findWantedUsernameProblem(
  c: AppContext,
  username: string,
  invited: SignUpInvitation | null,
): Promise<UsernameProblem | null> {
  const { config, now, store } = c.var
  const problem = await findUsernameProblem(store.db, username, { now })
  return problem === 'taken' && config.signUp.domains !== null && invited === null ? null : problem
}

const isForAnother = ({ invitation }: SignUpInvitation, email: string): boolean =>
  getInvitationProblem(invitation, { email, now: 0 }) === 'other address'

async function submitSignIn(c: AppContext, Page: typeof SignInPage | typeof SignUpPage): Promise<Response> {
  await limitSignIns(c)
  const fields = await readFields(c)
  const email = (fields.get('email') ?? '').trim().toLowerCase()
  const username = Page === SignUpPage ? (fields.get('username') ?? '').trim() : null
  const returnTo = returnPath(fields.get('return'))
  const invited = Page === SignUpPage ? await findInvited(c, fields.get('invitation')) : null
  return submitForm(c, {
    submit: async () => {
      const problem = username === null ? null : await findWantedUsernameProblem(c, username, invited)
      const problems = {
        ...(!isEmail(email) && { email: 'Enter a valid email address.' }),
        ...(invited && isForAnother(invited, email) && { email: formatInvitationProblem('other address') }),
        ...(problem !== null && { username: formatUsernameProblem(problem) }),
      }
      if (Object.keys(problems).length > 0) throw invalidForm(problems)
      return sendSignInLink(c, { email, username, returnTo, invited })
    },
    handles: (error) => error.code !== 'internal_error',
    showAgain: (error, options) => {
      const typed = { returnTo, email, invited, ...(username !== null && { username }) }
      const shown = { ...typed, problems: getSignInProblems(error) }
      return showForm(c, Page, shown, options)
    },
  })
}

const limitForm = limitBody(MAX_ACCOUNT_FORM_BYTES)

const signIn = new Hono<AppEnv>()
  .onError(answerRefusedInvitation)
  .get('/sign-in', (c) => showSignIn(c, SignInPage))
  .get('/sign-up', (c) => showSignIn(c, SignUpPage))
  .get('/sign-up/username', async (c) => {
    const invited = await findInvited(c, c.req.query('invitation'))
    await limitRate(c, 'usernames', getNetwork(c))
    const problem = await findWantedUsernameProblem(c, c.req.query('name') ?? '', invited)
    return answerJson(c, { problem: problem && formatUsernameProblem(problem) })
  })
  .post('/sign-in', requireThisSite, limitForm, (c) => submitSignIn(c, SignInPage))
  .post('/sign-up', requireThisSite, limitForm, (c) => submitSignIn(c, SignUpPage))
  .get('/sign-in/link', (c) =>
    openSignInLink(c, { token: c.req.query('token') ?? '', returnTo: returnPath(c.req.query('return')) }),
  )
  .post('/sign-in/link', requireThisSite, limitForm, async (c) => {
    await limitSignIns(c)
    const fields = await readFields(c)
    return openSignInLink(c, {
      token: fields.get('token') ?? '',
      returnTo: returnPath(fields.get('return')),
      chosenUsername: fields.get('username')?.trim(),
    })
  })
  .post('/sign-in/github', requireThisSite, limitForm, async (c) => {
    await limitSignIns(c)
    const fields = await readFields(c)
    const token = fields.get('invitation')
    return redirectToGitHub(c, {
      returnTo: returnPath(fields.get('return')),
      username: fields.get('username')?.trim() ?? '',
      invitation: token ? await hashSecret(token) : null,
    })
  })
  .get('/sign-in/callback/github', comeBackFromGitHub)
  .post('/sign-in/oidc', requireThisSite, limitForm, async (c) => {
    await limitSignIns(c)
    const fields = await readFields(c)
    const token = fields.get('invitation')
    return leadToProvider(c, {
      returnTo: returnPath(fields.get('return')),
      username: fields.get('username')?.trim() ?? '',
      invitation: token ? await hashSecret(token) : null,
    })
  })
  .get('/sign-in/callback/oidc', comeBackFromProvider)
  .get('/sign-out', async (c) => {
    return privatePage(c, <SignOutPage username={(await askSession(c, NOTHING)).user?.username} />)
  })
  .post('/sign-out', requireThisSite, async (c) => {
    const token = await readSessionToken(c)
    if (token !== null) await endSession(c.var.store.db, token)
    return seeOther(c, '/', [expiredSessionCookie(c.var.siteUrl)])
  })

export const routes = new Hono<AppEnv>().route('/', rejectOtherMethods(signIn))
