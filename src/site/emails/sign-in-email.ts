import { renderEmail } from './email-template.tsx'

const EXPIRY = 'The link works once and expires in 15 minutes. Open it in the browser where you requested it.'

const NOT_YOU = 'If you didn’t ask for this email, you can ignore it. Nobody can sign in without the link.'

/**
 * Returns the email with a sign-in link. It says whether there is an account, which only the owner of the address
 * gets to read.
 *
 * @param username null if there is no account with this address.
 */
export const signInEmail = (to: string, url: string, username: string | null) =>
  username === null
    ? renderEmail({
        to,
        subject: 'Create your Regent account',
        before: ['Welcome to Regent! Open this link to confirm your email address and create your account:'],
        link: { url, label: 'Create account' },
        after: [EXPIRY, NOT_YOU],
      })
    : renderEmail({
        to,
        subject: 'Sign in to Regent',
        before: [`Hi ${username},`, 'Open this link to sign in to Regent:'],
        link: { url, label: 'Sign in' },
        after: [EXPIRY, NOT_YOU],
      })
