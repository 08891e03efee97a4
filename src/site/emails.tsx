import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import * as z from 'zod/mini'
import { INVITATION_DAYS } from '../accounts/invitation-statements.ts'
import type { Site } from '../config.ts'
import type { Email } from '../platform/mail.ts'

/** An address has at most 254 characters (RFC 5321 §4.5.3.1.3). */
const emailAddress = z.email().check(z.maxLength(254))

/** The emailed link proves that it exists. */
export const isEmail = (candidate: string): boolean => emailAddress.safeParse(candidate).success

interface EmailContent {
  readonly site: Site
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
    'display: inline-block; padding: 0.5em 1.25em; color: #ffffff; border-radius: 6px; font-weight: 500; text-decoration: none',
  address: 'margin: 0 0 1em; font-size: 13px; word-break: break-all; opacity: 0.75',
} as const

const DEFAULT_ACCENT = '#0f6a51'

const Paragraph = ({ children }: { children: Child }) => <p style={STYLES.paragraph}>{children}</p>

const EmailBody = ({ site, subject, before, link, after }: EmailContent) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="color-scheme" content="light dark" />
      <title>{subject}</title>
    </head>
    <body style={STYLES.body}>
      <p style={STYLES.name}>{site.name}</p>
      {before.map((paragraph) => (
        <Paragraph>{paragraph}</Paragraph>
      ))}
      {link && (
        <>
          <Paragraph>
            <a
              href={link.url}
              style={`${STYLES.button}; background: ${site.accent?.light.accent ?? DEFAULT_ACCENT}`}
            >
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

interface Recipient {
  readonly site: Site
  readonly to: string
}

interface LinkRecipient extends Recipient {
  readonly url: string
}

const formatExpiry = ({ name }: Site): string =>
  `The link works once and expires in 15 minutes. Open it in a browser where you’re signed in to ${name}.`

export const approveEmailChangeEmail = (
  { site, to, url }: LinkRecipient,
  { username, newAddress }: { username: string; newAddress: string },
) =>
  renderEmail({
    site,
    to,
    subject: `Change the email address of your ${site.name} account?`,
    before: [
      `Hi ${username},`,
      `Someone who is signed in to your ${site.name} account asked to change its email address to ${newAddress}. If this was you, continue here:`,
    ],
    link: { url, label: 'Continue' },
    after: [
      formatExpiry(site),
      'If this wasn’t you, sign in and choose “Sign out everywhere” on your account page. Then revoke any API keys and disconnect any GitHub account that you don’t recognize.',
    ],
  })

export const confirmNewAddressEmail = ({ site, to, url }: LinkRecipient, username: string) =>
  renderEmail({
    site,
    to,
    subject: 'Confirm your new email address',
    before: [`Hi ${username},`, `Open this link to use this email address for your ${site.name} account:`],
    link: { url, label: 'Confirm email address' },
    after: [formatExpiry(site), 'If this isn’t your account, you can ignore this email.'],
  })

export const emailChangedEmail = (
  { site, to }: Recipient,
  { username, newAddress, siteUrl }: { username: string; newAddress: string; siteUrl: string },
) =>
  renderEmail({
    site,
    to,
    subject: `The email address of your ${site.name} account has changed`,
    before: [
      `Hi ${username},`,
      `The email address of your ${site.name} account is now ${newAddress}. You can no longer sign in with the address that this email was sent to.`,
    ],
    after: [`If this wasn’t you, contact us: ${siteUrl}/about#contact`],
  })

/** @param provider such as GitHub. */
export const accountConnectedEmail = (
  { site, to }: Recipient,
  { username, provider, login }: { username: string; provider: string; login: string },
) =>
  renderEmail({
    site,
    to,
    subject: `${provider} is now connected to your ${site.name} account`,
    before: [
      `Hi ${username},`,
      `The ${provider} account ${login} was connected to your ${site.name} account. You can now sign in with ${provider}.`,
    ],
    after: [
      `If this wasn’t you, sign in and disconnect ${provider} on your account page. Then revoke any API keys that you don’t recognize and choose “Sign out everywhere”.`,
    ],
  })

const LINK_EXPIRY =
  'The link works once and expires in 15 minutes. Open it in the browser where you requested it.'

const NOT_YOU = 'If you didn’t ask for this email, you can ignore it. Nobody can sign in without the link.'

/** Only the owner of the address gets to read whether there is an account. */
export const signInEmail = ({ site, to, url }: LinkRecipient, username: string | null) =>
  username === null
    ? renderEmail({
        site,
        to,
        subject: `Create your ${site.name} account`,
        before: [
          `Welcome to ${site.name}! Open this link to confirm your email address and create your account:`,
        ],
        link: { url, label: 'Create account' },
        after: [LINK_EXPIRY, NOT_YOU],
      })
    : renderEmail({
        site,
        to,
        subject: `Sign in to ${site.name}`,
        before: [`Hi ${username},`, `Open this link to sign in to ${site.name}:`],
        link: { url, label: 'Sign in' },
        after: [LINK_EXPIRY, NOT_YOU],
      })

/** @param inviter the username of the account that invites. */
export const invitationEmail = ({ site, to, url }: LinkRecipient, inviter: string) =>
  renderEmail({
    site,
    to,
    subject: `${inviter} invites you to ${site.name}`,
    before: [`${inviter} invites you to create an account on ${site.name}, with this email address:`],
    link: { url, label: 'Create account' },
    after: [
      `The link works once and expires in ${INVITATION_DAYS} days.`,
      'If you don’t know who this is, you can ignore this email.',
    ],
  })
