import { unavailable } from '../errors.ts'
import { withinTime } from './database.ts'
import { isLoopback } from './loopback.ts'

/** A mail that is to be sent; plain text and HTML say the same. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends a mail. Throws AppError `unavailable` when it does not go out. */
export type SendMail = (mail: Mail) => Promise<void>

const MAIL_TIMEOUT_MS = 10_000

interface MailOptions {
  /** `Name <address>`, an address, `terminal`, or null. */
  readonly from: string | null
  readonly binding: SendEmail | undefined
  readonly siteUrl: string
}

/** A mailbox with or without a name before it (RFC 5322 §3.4). */
function parseSender(from: string): string | EmailAddress {
  const [, name, email] = /^(.*?)\s*<([^<>]+)>$/.exec(from) ?? []
  return name && email ? { name, email } : (email ?? from)
}

/**
 * How mail is sent; null where it is not. What is printed carries links that sign people in, so only a
 * service on this very machine does that.
 */
export function createMailer({ from, binding, siteUrl }: MailOptions): SendMail | null {
  if (from === 'terminal') {
    if (!isLoopback(siteUrl)) return null
    return async ({ to, subject, text }) => console.log(`\nMail to ${to}: ${subject}\n\n${text}`)
  }
  if (from === null || binding === undefined) return null
  return async (mail) => {
    try {
      await withinTime(binding.send({ from: parseSender(from), ...mail }), MAIL_TIMEOUT_MS)
    } catch (error) {
      throw unavailable(error)
    }
  }
}
