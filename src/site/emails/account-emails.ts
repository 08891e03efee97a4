import { renderEmail } from './email-template.tsx'

const EXPIRY =
  'The link works once and expires in 15 minutes. Open it in a browser where you’re signed in to Regent.'

/** Returns the email that asks the current address to approve a new one. */
export const approveEmailChangeEmail = (
  to: string,
  url: string,
  { username, newAddress }: { username: string; newAddress: string },
) =>
  renderEmail({
    to,
    subject: 'Change the email address of your Regent account?',
    before: [
      `Hi ${username},`,
      `Someone who is signed in to your Regent account asked to change its email address to ${newAddress}. If this was you, continue here:`,
    ],
    link: { url, label: 'Continue' },
    after: [
      EXPIRY,
      'If this wasn’t you, sign in and choose “Sign out everywhere” on your account page. Then revoke any API keys and disconnect any GitHub account that you don’t recognize.',
    ],
  })

/** Returns the email that asks the new address for confirmation. */
export const confirmNewAddressEmail = (to: string, url: string, username: string) =>
  renderEmail({
    to,
    subject: 'Confirm your new email address',
    before: [`Hi ${username},`, 'Open this link to use this email address for your Regent account:'],
    link: { url, label: 'Confirm email address' },
    after: [EXPIRY, 'If this isn’t your account, you can ignore this email.'],
  })

/** Returns the email that tells the old address about the change. */
export const emailChangedEmail = (
  to: string,
  { username, newAddress }: { username: string; newAddress: string },
) =>
  renderEmail({
    to,
    subject: 'The email address of your Regent account has changed',
    before: [
      `Hi ${username},`,
      `The email address of your Regent account is now ${newAddress}. You can no longer sign in with the address that this email was sent to.`,
    ],
    after: ['If this wasn’t you, contact the operator of the site.'],
  })

/** Returns the email that tells a user about a GitHub account that was connected. */
export const gitHubConnectedEmail = (to: string, { username, login }: { username: string; login: string }) =>
  renderEmail({
    to,
    subject: 'GitHub is now connected to your Regent account',
    before: [
      `Hi ${username},`,
      `The GitHub account ${login} was connected to your Regent account. You can now sign in with GitHub.`,
    ],
    after: [
      'If this wasn’t you, sign in and disconnect GitHub on your account page. Then revoke any API keys that you don’t recognize and choose “Sign out everywhere”.',
    ],
  })
