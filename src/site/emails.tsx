import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import * as z from 'zod/mini'
import type { Email } from '../platform/mail.ts'

/** At most 254 characters (RFC 5321 §4.5.3.1.3). */
const emailAddress = z.email().check(z.maxLength(254))

/** The emailed link proves that it exists. */
export const isEmail = (candidate: string): boolean => emailAddress.safeParse(candidate).success

interface EmailContent {
  readonly to: string
  readonly subject: string
  readonly before: readonly string[]
  readonly link?: { readonly url: string; readonly label: string }
  readonly after: readonly string[]
}

/** Mail programs ignore stylesheets and most CSS, so each element has its own style, with the colours of tokens.css. */
const STYLES = {
  body: 'font: 16px/1.5 system-ui, sans-serif; max-width: 34em; margin: 2em auto; padding: 0 1em',
  name: 'margin: 0 0 1.5em; font-weight: 600; font-size: 17px',
  paragraph: 'margin: 0 0 1em',
  button:
    'display: inline-block; padding: 0.5em 1.25em; background: #0f6a51; color: #ffffff; border-radius: 6px; font-weight: 500; text-decoration: none',
  address: 'margin: 0 0 1em; font-size: 13px; word-break: break-all; opacity: 0.75',
} as const

const Paragraph = ({ children }: { children: Child }) => <p style={STYLES.paragraph}>{children}</p>

const EmailBody = ({ subject, before, link, after }: EmailContent) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="color-scheme" content="light dark" />
      <title>{subject}</title>
    </head>
    <body style={STYLES.body}>
      <p style={STYLES.name}>Regent</p>
      {before.map((paragraph) => (
        <Paragraph>{paragraph}</Paragraph>
      ))}
      {link && (
        <>
          <Paragraph>
            <a href={link.url} style={STYLES.button}>
              {link.label}
            </a>
          </Paragraph>
          {/* For people who open the link in another browser. */}
          <p style={STYLES.address}>{link.url}</p>
        </>
      )}
      {after.map((paragraph) => (
        <Paragraph>{paragraph}</Paragraph>
      ))}
    </body>
  </html>
)

async function renderEmail(content: EmailContent): Promise<Email> {
  const { to, subject, before, link, after } = content
  const text = [...before, ...(link ? [link.url] : []), ...after].join('\n\n')
  return {
    to,
    subject,
    text: `${text}\n`,
    html: String(await html`<!doctype html>${<EmailBody {...content} />}`),
  }
}

const EXPIRY =
  'The link works once and expires in 15 minutes. Open it in a browser where you’re signed in to Regent.'

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

export const confirmNewAddressEmail = (to: string, url: string, username: string) =>
  renderEmail({
    to,
    subject: 'Confirm your new email address',
    before: [`Hi ${username},`, 'Open this link to use this email address for your Regent account:'],
    link: { url, label: 'Confirm email address' },
    after: [EXPIRY, 'If this isn’t your account, you can ignore this email.'],
  })

export const emailChangedEmail = (
  to: string,
  { username, newAddress, siteUrl }: { username: string; newAddress: string; siteUrl: string },
) =>
  renderEmail({
    to,
    subject: 'The email address of your Regent account has changed',
    before: [
      `Hi ${username},`,
      `The email address of your Regent account is now ${newAddress}. You can no longer sign in with the address that this email was sent to.`,
    ],
    after: [`If this wasn’t you, contact us: ${siteUrl}/about#contact`],
  })

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

const LINK_EXPIRY =
  'The link works once and expires in 15 minutes. Open it in the browser where you requested it.'

const NOT_YOU = 'If you didn’t ask for this email, you can ignore it. Nobody can sign in without the link.'

/** Only the owner of the address gets to read whether there is an account. */
export const signInEmail = (to: string, url: string, username: string | null) =>
  username === null
    ? renderEmail({
        to,
        subject: 'Create your Regent account',
        before: ['Welcome to Regent! Open this link to confirm your email address and create your account:'],
        link: { url, label: 'Create account' },
        after: [LINK_EXPIRY, NOT_YOU],
      })
    : renderEmail({
        to,
        subject: 'Sign in to Regent',
        before: [`Hi ${username},`, 'Open this link to sign in to Regent:'],
        link: { url, label: 'Sign in' },
        after: [LINK_EXPIRY, NOT_YOU],
      })
