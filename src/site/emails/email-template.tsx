import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Email } from '../../platform/email.ts'

interface EmailContent {
  readonly to: string
  readonly subject: string
  /** Paragraphs before the link. */
  readonly before: readonly string[]
  readonly link?: { readonly url: string; readonly label: string }
  /** Paragraphs after the link. */
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

/** Renders an email as plain text and as HTML. In the plain text, the URL is on a line of its own. */
export async function renderEmail(content: EmailContent): Promise<Email> {
  const { to, subject, before, link, after } = content
  const text = [...before, ...(link ? [link.url] : []), ...after].join('\n\n')
  return {
    to,
    subject,
    text: `${text}\n`,
    html: String(await html`<!doctype html>${<EmailBody {...content} />}`),
  }
}
