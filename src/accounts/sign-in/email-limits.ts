import { nanoid } from 'nanoid'
import { AppError } from '../../errors.ts'
import type { Database } from '../../platform/database.ts'
import { signText } from '../../shared/hashing.ts'
import { LINK_LIFETIME_SECONDS } from './links.ts'

/** Domains of Google Mail, which ignores dots before the `@`. */
const GOOGLE_DOMAINS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/** Without a sub-address (RFC 5233), and for Google Mail without dots. */
export function toMailbox(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const [name = ''] = email.slice(0, at).toLowerCase().split('+', 1)
  return GOOGLE_DOMAINS.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/** Emails that anybody can make us send to a mailbox within the lifetime of a link. */
const MAX_EMAILS_TO_MAILBOX = 10
/** Of them, emails without a sign-in link. So once the limit is reached, the newest email has one. */
const MAX_OTHER_EMAILS_TO_MAILBOX = 5
/** Emails that a network can request in that time, to any mailbox. People may share a network. */
const MAX_EMAILS_FROM_NETWORK = 20
/** To a mailbox that a browser has signed in with, or an account's own. */
const MAX_OWN_EMAILS = 10

interface Allowance {
  /** What is counted, as `mails_sent` stores it. */
  readonly key: string
  readonly max: number
}

interface EmailRequest {
  readonly to: string
  readonly signsIn: boolean
  /** The network of the client; null doesn't limit it. */
  readonly network: string | null
  /** A key for `signText`: the database mustn't tell who requested an email. */
  readonly secret: string
  readonly now: number
}

const MINUTES = LINK_LIFETIME_SECONDS / 60

const tooManyEmails = (pageMessage: string) =>
  new AppError('rate_limited', `Rate limit exceeded, retry in ${LINK_LIFETIME_SECONDS} seconds`, {
    pageMessage,
    headers: { 'Retry-After': String(LINK_LIFETIME_SECONDS) },
  })

const tooManyToMailbox = () =>
  tooManyEmails(
    `We’ve sent this address several links in the last ${MINUTES} minutes. Open the newest email: its link still works`,
  )

const tooManyFromNetwork = () =>
  tooManyEmails(`Your network has requested too many emails. Try again in ${MINUTES} minutes`)

/** Counts nothing if an allowance is used up, whose key it returns. */
async function findUsedUp(
  db: Database,
  allowances: readonly Allowance[],
  now: number,
): Promise<string | null> {
  const id = nanoid()
  const since = now - LINK_LIFETIME_SECONDS * 1000
  const usedUp = `SELECT value ->> 'key' AS key FROM json_each(?1)
    WHERE (SELECT count(*) FROM mails_sent WHERE email = value ->> 'key' AND sent_at > ?2) >= value ->> 'max'`
  const json = JSON.stringify(allowances)
  const [full, , counted] = await db.idempotentBatch([
    [usedUp, json, since],
    [
      `INSERT OR IGNORE INTO mails_sent (email, id, sent_at)
        SELECT value ->> 'key', ?3, ?4 FROM json_each(?1) WHERE NOT EXISTS (${usedUp})`,
      json,
      since,
      id,
      now,
    ],
    ['SELECT 1 FROM mails_sent WHERE email = ?1 AND id = ?2', allowances[0]?.key ?? '', id],
  ])
  if (counted?.length) return null
  return (full as { key: string }[])[0]?.key ?? ''
}

/**
 * For an address that nothing proves to be the requester's. Whether there is an account makes no difference. Nobody is
 * locked out if strangers use up the limit: the links in the emails still work.
 *
 * @throws AppError `rate_limited`.
 */
export async function countEmail(
  db: Database,
  { to, signsIn, network, secret, now }: EmailRequest,
): Promise<void> {
  const mailbox = { key: toMailbox(to), max: signsIn ? MAX_EMAILS_TO_MAILBOX : MAX_OTHER_EMAILS_TO_MAILBOX }
  const allowances =
    network === null
      ? [mailbox]
      : [
          mailbox,
          { key: `network ${await signText(secret, `email ${network}`)}`, max: MAX_EMAILS_FROM_NETWORK },
        ]
  const usedUp = await findUsedUp(db, allowances, now)
  if (usedUp !== null) throw usedUp === mailbox.key ? tooManyToMailbox() : tooManyFromNetwork()
}

/**
 * For an address that a browser (which has signed in with it) or an account has proved to be its own. What strangers
 * request doesn't count.
 *
 * @throws AppError `rate_limited`.
 */
export async function countOwnEmail(db: Database, owner: string, now: number): Promise<void> {
  if ((await findUsedUp(db, [{ key: owner, max: MAX_OWN_EMAILS }], now)) !== null) throw tooManyToMailbox()
}
