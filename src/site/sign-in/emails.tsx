import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Email } from '../../platform/email.ts'

interface Letter {
  readonly to: string
  readonly subject: string
  /** Paragraphs before the link. */
  readonly before: readonly string[]
  readonly link?: { readonly url: string; readonly label: string }
  /** Paragraphs after it. */
  readonly after: readonly string[]
}

const Paragraph = ({ children }: { children: Child }) => <p style="margin: 0 0 1em">{children}</p>

const LetterPage = ({ subject, before, link, after }: Letter) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>{subject}</title>
    </head>
    <body style="font: 16px/1.5 system-ui, sans-serif; max-width: 34em; margin: 2em auto; padding: 0 1em">
      {before.map((paragraph) => (
        <Paragraph>{paragraph}</Paragraph>
      ))}
      {link && (
        <Paragraph>
          <a href={link.url}>{link.label}</a>
        </Paragraph>
      )}
      {after.map((paragraph) => (
        <Paragraph>{paragraph}</Paragraph>
      ))}
    </body>
  </html>
)

/** A mail of these words, as plain text and as HTML. In the text the link stands whole on a line of its own. */
async function mailOf(letter: Letter): Promise<Email> {
  const { to, subject, before, link, after } = letter
  const text = [...before, ...(link ? [link.url] : []), ...after].join('\n\n')
  return {
    to,
    subject,
    text: `${text}\n`,
    html: String(await html`<!doctype html>${<LetterPage {...letter} />}`),
  }
}

const ONCE = 'It works once, for 15 minutes, best in the browser where you asked for it.'
const NOT_YOU = 'If you did not ask for this, do nothing: without the link nobody gets in.'

/** The mail for signing in, or up. It says which of the two it is: only the owner of the address reads it. */
export const signInMail = (to: string, url: string, username: string | null) =>
  username === null
    ? mailOf({
        to,
        subject: 'Make your account at Regent',
        before: ['Open this link to make an account with this address:'],
        link: { url, label: 'Make the account' },
        after: [ONCE, NOT_YOU],
      })
    : mailOf({
        to,
        subject: 'Sign in to Regent',
        before: [`Open this link to sign in as ${username}:`],
        link: { url, label: `Sign in as ${username}` },
        after: [ONCE, NOT_YOU],
      })

/** To the address that an account is to leave. */
export const leaveEmailMail = (
  to: string,
  url: string,
  { username, next }: { username: string; next: string },
) =>
  mailOf({
    to,
    subject: 'Change the address of your account at Regent?',
    before: [
      `Somebody who is signed in as ${username} wants the account to have the address ${next}.`,
      'If that is you:',
    ],
    link: { url, label: 'Go on' },
    after: [
      'It works once, for 15 minutes, where you are signed in.',
      'If it is not you, sign in, choose "Sign out everywhere" in your account, and see which keys and which GitHub it has.',
    ],
  })

/** To the address that an account is to take. */
export const takeEmailMail = (to: string, url: string, username: string) =>
  mailOf({
    to,
    subject: 'Confirm your new address at Regent',
    before: [`This address is to belong to the account ${username}:`],
    link: { url, label: 'Confirm the address' },
    after: [
      'It works once, for 15 minutes, where you are signed in.',
      'If this is not your account, do nothing.',
    ],
  })

/** To the owner of an account that GitHub was connected to. */
export const connectedMail = (to: string, { username, login }: { username: string; login: string }) =>
  mailOf({
    to,
    subject: 'GitHub was connected to your account at Regent',
    before: [`The account ${username} can now be signed in to as ${login} by GitHub.`],
    after: [
      'If that was not you, sign in, disconnect GitHub on your account page, revoke keys that you do not know, and choose "Sign out everywhere".',
    ],
  })

/** To the address that an account has left. */
export const leftEmailMail = (to: string, { username, next }: { username: string; next: string }) =>
  mailOf({
    to,
    subject: 'Your account at Regent has a new address',
    before: [`The account ${username} now has the address ${next}. This one no longer opens it.`],
    after: [],
  })
