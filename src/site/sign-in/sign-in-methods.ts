import type { AppContext } from '../../env.ts'
import { createEmailSender, type EmailSender } from '../../platform/email.ts'

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
