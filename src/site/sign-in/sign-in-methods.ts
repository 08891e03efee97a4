import { getSignedCookie } from 'hono/cookie'
import { serializeSigned } from 'hono/utils/cookie'
import { INVITATION_DAYS } from '../../accounts/invitation-statements.ts'
import type { InvitationProblem } from '../../accounts/invitations.ts'
import { findAccountDetails } from '../../accounts/profile.ts'
import type { SignIn } from '../../accounts/sessions.ts'
import type { UsernameProblem } from '../../accounts/usernames.ts'
import type { AppContext } from '../../env.ts'
import { cookieOptions, requireAuthSecret } from '../../http/cookies.ts'
import { readSessionToken } from '../../http/identity.ts'
import { readClientAddress } from '../../http/network.ts'
import { truncateAddress } from '../../platform/addresses.ts'
import { createEmailSender, type EmailSender } from '../../platform/mail.ts'
import { accountConnectedEmail } from '../emails.tsx'

export function formatUsernameProblem(problem: UsernameProblem): string {
  switch (problem) {
    case 'malformed':
      return 'Use 3 to 30 letters, digits, hyphens or underscores.'
    case 'reserved':
      return 'This username is reserved. Choose another.'
    case 'taken':
      return 'This username is taken, or too similar to one that is. Choose another.'
    default:
      return problem satisfies never
  }
}

/** The ways to sign in. Without any of them, the operator creates accounts and API keys. */
export interface SignInMethods {
  /** Is null if nobody signs in with links by email. */
  readonly sendEmail: EmailSender | null
  readonly gitHub: boolean
  /** The name of the provider of OpenID Connect; null if there is none. */
  readonly oidc: string | null
}

/** Returns null if this server sends no email. */
export const getEmailSender = ({ env, var: { config, siteUrl } }: AppContext): EmailSender | null =>
  config.authSecret === null
    ? null
    : createEmailSender({ from: config.mailFrom, binding: env.EMAIL, siteUrl })

/** Accounts connect GitHub for gists, even where nobody signs in with it. */
export const offersGitHub = ({ var: { config } }: AppContext): boolean =>
  config.authSecret !== null && config.github.app !== null

export function getSignInMethods(c: AppContext): SignInMethods {
  const { authSecret, oidc } = c.var.config
  const name = authSecret === null ? null : (oidc?.name ?? null)
  if (oidc?.only) return { sendEmail: null, gitHub: false, oidc: name }
  return { sendEmail: getEmailSender(c), gitHub: offersGitHub(c), oidc: name }
}

/** Tells the account that someone can now sign in to it with another account, at a provider such as GitHub. */
export async function sendConnectedEmail(
  c: AppContext,
  userId: string,
  connected: { readonly provider: string; readonly login: string },
): Promise<void> {
  const { config, now, store } = c.var
  const sendEmail = getEmailSender(c)
  const details = sendEmail && (await findAccountDetails(store.db, userId, now))
  if (!details) return
  const recipient = { site: config.site, to: details.email }
  await sendEmail(await accountConnectedEmail(recipient, { username: details.username, ...connected }))
}

const INVITATION_PROBLEMS: Readonly<Record<InvitationProblem, string>> = {
  unknown: 'This invitation doesn’t exist. Check that the link is complete.',
  used: 'This invitation has been used. Each works once.',
  expired: `This invitation has expired. Each works for ${INVITATION_DAYS} days.`,
  revoked: 'This invitation has been revoked.',
  'other address': 'This invitation is for another email address.',
}

export const formatInvitationProblem = (problem: InvitationProblem): string => INVITATION_PROBLEMS[problem]

/** @param provider such as GitHub. */
export function formatProviderError(code: string, provider: string): string {
  const problem = code.replace(/^invitation: /, '')
  if (problem !== code && Object.hasOwn(INVITATION_PROBLEMS, problem))
    return formatInvitationProblem(problem as InvitationProblem)
  switch (code) {
    case 'access_denied':
      return `You didn’t allow access to your ${provider} account. Try again, and allow it there.`
    case 'account_not_linked':
      return `There’s already an account with your ${provider} email address, and nobody has confirmed that it’s theirs. Sign in to it by email, then try again.`
    case 'account_already_linked_to_different_user':
      return `This ${provider} account is connected to another account here. Disconnect it there first.`
    case 'another_account_linked':
      return `Another ${provider} account is already connected. Disconnect it first.`
    case 'email_not_found':
      return `Your ${provider} account has no verified email address. Verify one there, then try again.`
    case 'sign_up_refused':
      return 'There’s no account here for you, and this server doesn’t let everyone create one. Ask its operator.'
    case 'suspended':
      return 'Your account is suspended.'
    case 'unavailable':
      return `We can’t reach ${provider} right now. Try again later.`
    case 'refused':
      return `We couldn’t verify what ${provider} says about you, so you aren’t signed in. Try again.`
    default:
      return `We couldn’t connect to your ${provider} account. Try again.`
  }
}

export const describeSignIn = async (c: AppContext): Promise<SignIn> => ({
  previousToken: await readSessionToken(c),
  network: truncateAddress(readClientAddress(c) ?? ''),
  now: c.var.now,
  sessionDays: c.var.config.sessionDays,
})

/** The reason for going to a provider: to sign in, or to connect an account. */
export interface Wanted {
  readonly returnTo: string
  readonly username?: string
  /** The hash of the token of an invitation. */
  readonly invitation?: string | null
  readonly connects?: { readonly id: string }
}

/** The cookie that makes sure that the same browser comes back from a provider. */
export const createStateCookie = (
  c: AppContext,
  { name, state, maxAge }: { readonly name: string; readonly state: string; readonly maxAge: number },
): Promise<string> =>
  serializeSigned(name, state, requireAuthSecret(c), { ...cookieOptions(c.var.siteUrl), maxAge })

/** Returns the state with which this browser was sent to the provider. A HEAD request mustn't use it up. */
export async function readState(c: AppContext, name: string): Promise<string | null> {
  const state = c.req.query('state')
  const isSameBrowser = state && (await getSignedCookie(c, requireAuthSecret(c), name)) === state
  return isSameBrowser && c.req.method === 'GET' ? state : null
}
