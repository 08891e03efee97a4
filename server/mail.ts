import { createTransport } from 'nodemailer'

/** What the binding `EMAIL` does, through a mail server. */

/** As long as the app waits for the binding. */
const TIMEOUT_MS = 10_000

const formatAddress = (address: string | EmailAddress) =>
  typeof address === 'string' ? address : { name: address.name, address: address.email }

export interface MailService {
  readonly binding: SendEmail
  readonly close: () => void
}

/** @param url such as `smtps://user:password@mail.example.org`; `smtp://` uses STARTTLS if the server offers it. */
export function openMail(url: string): MailService {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  return {
    binding: {
      send: async (message: EmailMessageBuilder | EmailMessage): Promise<EmailSendResult> => {
        if (!('subject' in message))
          throw new TypeError('Only messages with a subject and a text can be sent')
        const { from, to, subject, text, html } = message
        const { messageId } = await transport.sendMail({
          from: formatAddress(from),
          to: [to ?? []].flat().map(formatAddress),
          subject,
          text,
          html,
        })
        return { messageId }
      },
    },
    close: () => transport.close(),
  }
}
