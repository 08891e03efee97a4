import type { UsernameProblem } from '../../accounts/usernames.ts'
import type { AppContext } from '../../env.ts'
import { createEmailSender, type EmailSender } from '../../platform/mail.ts'

/** Loads the emails when one is sent: reading a document needs none of their text. */
export const loadEmails = () => import('../emails.lazy.tsx')

/** Returns true if a text looks like an email address. The emailed link proves that it exists. */
export async function isEmail(candidate: string): Promise<boolean> {
  const { emailAddress } = await import('./email-address.lazy.ts')
  return emailAddress.safeParse(candidate).success
}

/** Returns the message that says why a username can't be used. */
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

/** How users can sign in to this server. Without either method, the operator creates accounts and API keys. */
export interface SignInMethods {
  /** Null if this server sends no email. */
  readonly sendEmail: EmailSender | null
  readonly gitHub: boolean
}

export function getSignInMethods(c: AppContext): SignInMethods {
  const { config, siteUrl } = c.var
  if (config.authSecret === null) return { sendEmail: null, gitHub: false }
  const sendEmail = createEmailSender({ from: config.mailFrom, binding: c.env.EMAIL, siteUrl })
  return { sendEmail, gitHub: config.github.app !== null }
}
