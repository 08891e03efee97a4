import type { SignIn } from '../../accounts/sessions.ts'
import type { UsernameProblem } from '../../accounts/usernames.ts'
import type { AppContext } from '../../env.ts'
import { readSessionToken } from '../../http/identity.ts'
import { readClientAddress } from '../../http/limits.ts'
import { truncateAddress } from '../../http/request.ts'
import { createEmailSender, type EmailSender } from '../../platform/mail.ts'

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

/** Without either method, the operator creates accounts and API keys. */
export interface SignInMethods {
  /** Is null if this server sends no email. */
  readonly sendEmail: EmailSender | null
  readonly gitHub: boolean
}

export function getSignInMethods(c: AppContext): SignInMethods {
  const { config, siteUrl } = c.var
  if (config.authSecret === null) return { sendEmail: null, gitHub: false }
  const sendEmail = createEmailSender({ from: config.mailFrom, binding: c.env.EMAIL, siteUrl })
  return { sendEmail, gitHub: config.github.app !== null }
}

export function formatGitHubError(code: string): string {
  switch (code) {
    case 'access_denied':
      return 'You didn’t allow access to your GitHub account. Try again, and allow it on GitHub.'
    case 'account_not_linked':
      return 'There’s already an account with your GitHub email address. Sign in to it by email, then connect GitHub on your account page.'
    case 'account_already_linked_to_different_user':
      return 'This GitHub account is connected to another account here. Disconnect it there first.'
    case 'another_account_linked':
      return 'Another GitHub account is already connected. Disconnect it first.'
    case 'email_not_found':
      return 'Your GitHub account has no verified email address. Verify one there, or sign in by email.'
    case 'sign_up_refused':
      return 'There’s no account here for you, and this server doesn’t let everyone create one. Ask its operator.'
    case 'suspended':
      return 'Your account is suspended.'
    default:
      return 'We couldn’t connect to your GitHub account. Try again.'
  }
}

export const describeSignIn = async (c: AppContext): Promise<SignIn> => ({
  previousToken: await readSessionToken(c),
  network: truncateAddress(readClientAddress(c) ?? ''),
  now: c.var.now,
})
