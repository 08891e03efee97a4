import { unavailable } from '../errors.ts'
import { isLocal } from './addresses.ts'
import { withTimeout } from './database.ts'

export interface Email {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Throws AppError `unavailable` if the email can't be sent. */
export type EmailSender = (email: Email) => Promise<void>

const EMAIL_TIMEOUT_MS = 10_000

interface EmailOptions {
  /** `Name <address>`, an address, `terminal`, or null. */
  readonly from: string | null
  readonly binding: SendEmail | undefined
  readonly siteUrl: string
}

/** Matches an address with or without a display name (RFC 5322 §3.4). */
function parseSender(from: string): string | EmailAddress {
  const [, name, email] = /^([^<>]*)<([^<>]+)>$/.exec(from) ?? []
  return name?.trim() && email ? { name: name.trim(), email } : (email ?? from)
}

/** Returns null if this server sends no email. Emails contain sign-in links, so `terminal` works on a loopback address only. */
export function createEmailSender({ from, binding, siteUrl }: EmailOptions): EmailSender | null {
  if (from === 'terminal') {
    if (!isLocal(siteUrl)) return null
    return async ({ to, subject, text }) => console.log(`\nEmail to ${to}: ${subject}\n\n${text}`)
  }
  if (from === null || binding === undefined) return null
  return async (email) => {
    try {
      await withTimeout(binding.send({ from: parseSender(from), ...email }), EMAIL_TIMEOUT_MS)
    } catch (error) {
      throw unavailable(error)
    }
  }
}
