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

const Paragraph = ({ children }: { children: Child }) => <p style="margin: 0 0 1em">{children}</p>

const EmailBody = ({ subject, before, link, after }: EmailContent) => (
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
