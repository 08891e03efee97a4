import { createTransport } from 'nodemailer'
import { isLoopbackHost } from './settings.ts'

/** Stands in for the binding `EMAIL`, and sends through a mail server. */

/** The app waits as long for the binding. */
const TIMEOUT_MS = 10_000

const formatAddress = (address: string | EmailAddress) =>
  typeof address === 'string' ? address : { name: address.name, address: address.email }

/**
 * Leaves out what the mail server said, except for its codes (RFC 5321 §4.2, RFC 3463): it may repeat the login or an
 * address, and this is logged.
 */
function toMailError(error: unknown): Error {
  const { message, code, command, response } = error as Record<string, unknown> & Error
  if (typeof response !== 'string') return new Error(`The mail server can't be used: ${message} (${code})`)
  const [codes = 'nonsense'] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? []
  return new Error(`The mail server answered ${codes} to ${command} (${code})`)
}

interface MailService {
  readonly binding: SendEmail
  readonly close: () => void
}

/**
 * @param url such as `smtps://user:password@mail.example.org`; `smtp://` uses STARTTLS if the server offers it, and
 * requires it for a login, except on this machine.
 */
export function openMail(url: string, { timeoutMs = TIMEOUT_MS } = {}): MailService {
  const { protocol, hostname, username } = new URL(url)
  const transport = createTransport({
    url,
    requireTLS: protocol === 'smtp:' && username !== '' && !isLoopbackHost(hostname),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  return {
    binding: {
      send: async (message: EmailMessageBuilder | EmailMessage): Promise<EmailSendResult> => {
        if (!('subject' in message))
          throw new TypeError('Only messages with a subject and a text can be sent')
        const { from, to, subject, text, html } = message
        const email = {
          from: formatAddress(from),
          to: [to ?? []].flat().map(formatAddress),
          subject,
          text,
          html,
        }
        const { messageId } = await transport.sendMail(email).catch((error: unknown) => {
          throw toMailError(error)
        })
        return { messageId }
      },
    },
    close: () => transport.close(),
  }
}
