import { nanoid } from 'nanoid'
import { AppError } from '../../errors.ts'
import type { Database } from '../../platform/database.ts'
import { logLine } from '../../platform/log.ts'
import { signText } from '../../shared/hashing.ts'
import { HOUR_MS, type Instant } from '../../shared/instant.ts'
import { LINK_LIFETIME_SECONDS } from './links.ts'

/** Domains of Google Mail, which ignores dots before the `@`. */
const GOOGLE_DOMAINS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/** Removes a sub-address (RFC 5233), and the dots of Google Mail. */
export function toMailbox(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const [name = ''] = email.slice(0, at).toLowerCase().split('+', 1)
  return GOOGLE_DOMAINS.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/** Emails that anybody can make us send to a mailbox within the lifetime of a link. */
const MAX_EMAILS_TO_MAILBOX = 10
/** Emails without a sign-in link may be so many. So once the limit is reached, the newest email has one. */
const MAX_OTHER_EMAILS_TO_MAILBOX = 5
/** Emails that a network can request in that time, to any mailbox. People may share a network. */
const MAX_EMAILS_FROM_NETWORK = 20
/** Emails that a mailbox can get in that time if it's an account's own, or if a browser has signed in with it. */
const MAX_OWN_EMAILS = 10

interface Allowance {
  /** The mailbox, network or other group whose emails are counted, as `mails_sent` stores it. */
  readonly key: string
  /** How many emails there may be since `since`; null sets no limit. */
  readonly max: number | null
  readonly since: Instant
  /** Counts and limits the email only if an account has the address, or only if none has. */
  readonly onlyFor?: 'accounts' | 'strangers'
  readonly to?: string
  /** Counts the request even if it gets no email because the server has none left. */
  readonly countsRequests?: boolean
}

interface EmailRequest {
  readonly to: string
  readonly signsIn: boolean
  /** An address without an account gets no email. It's limited alike, so that nothing tells which ones have one. */
  readonly onlyAccounts: boolean
  /** The network of the client; null doesn't limit it. */
  readonly network: string | null
  /** A key for `signText`: the database mustn't tell who requested an email. */
  readonly secret: string
  /** How many emails the server may send within an hour; null sets no limit. */
  readonly maxPerHour: number | null
  readonly now: Instant
}

const MINUTES = LINK_LIFETIME_SECONDS / 60
const LINK_LIFETIME_MS = LINK_LIFETIME_SECONDS * 1000

/** `mails_sent` must keep what it counts for as long as this. */
export const COUNTED_MS = HOUR_MS

const tooManyEmails = (seconds: number, pageMessage: string) =>
  new AppError('rate_limited', `Rate limit exceeded, retry in ${seconds} seconds`, {
    pageMessage,
    headers: { 'Retry-After': String(seconds) },
  })

const tooManyToMailbox = () =>
  tooManyEmails(
    LINK_LIFETIME_SECONDS,
    `We’ve sent this address several links in the last ${MINUTES} minutes. Open the newest email: its link still works`,
  )

const tooManyFromNetwork = () =>
  tooManyEmails(
    LINK_LIFETIME_SECONDS,
    `Your network has requested too many emails. Try again in ${MINUTES} minutes`,
  )

export const tooManyFromServer = () =>
  tooManyEmails(HOUR_MS / 1000, 'This server has sent too many emails. Try again in an hour')

/** The key that counts all emails of the server. */
const SERVER = 'server'
/** The key that counts the emails to addresses without an account. */
const STRANGERS = 'server strangers'

const ALLOWANCES = `SELECT value ->> 'key' AS key, value ->> 'max' AS max, value ->> 'since' AS since,
    ifnull(value ->> 'onlyFor' <> iif(EXISTS (SELECT 1 FROM users WHERE email = value ->> 'to'), 'accounts', 'strangers'), 0)
      AS exempt, ifnull(value ->> 'countsRequests', 0) AS countsRequests
  FROM json_each(?1)`

const COUNT = '(SELECT count(*) FROM mails_sent WHERE email = key AND sent_at > since)'

interface Usage {
  readonly key: string
  /** Is 1 if the allowance was used up before this email. */
  readonly wasUsedUp: 0 | 1
  readonly isUsedUp: 0 | 1
  readonly counted: 0 | 1
}

/**
 * Counts nothing if an allowance is used up that isn't exempt. If only those are used up that don't count requests,
 * the others count.
 */
async function countUnlessUsedUp(
  db: Database,
  allowances: readonly Allowance[],
  now: Instant,
): Promise<Usage[]> {
  const id = nanoid()
  const json = JSON.stringify(allowances)
  const [, usage] = await db.idempotentBatch([
    [
      `WITH allowances AS (${ALLOWANCES}),
          full AS MATERIALIZED (SELECT countsRequests FROM allowances WHERE NOT exempt AND ${COUNT} >= max)
        INSERT OR IGNORE INTO mails_sent (email, id, sent_at)
        SELECT key, ?2, ?3 FROM allowances a WHERE NOT exempt
          AND NOT EXISTS (SELECT 1 FROM full WHERE full.countsRequests >= a.countsRequests)`,
      json,
      id,
      now,
    ],
    [
      `WITH allowances AS (${ALLOWANCES})
        SELECT key, counted, used >= ifnull(max, 9e9) AS isUsedUp, used - counted >= ifnull(max, 9e9) AS wasUsedUp
        FROM (SELECT key, max, ${COUNT} AS used,
          EXISTS (SELECT 1 FROM mails_sent WHERE email = key AND id = ?2) AS counted FROM allowances)`,
      json,
      id,
    ],
  ])
  for (const { key, isUsedUp, counted } of usage as Usage[]) {
    // Of the emails that are counted, only the last one leaves nothing.
    if (isUsedUp && counted && (key === SERVER || key === STRANGERS))
      logLine('email limit reached', { to: key === SERVER ? 'anyone' : 'addresses without an account' })
  }
  return usage as Usage[]
}

const ofServer = (maxPerHour: number | null, now: Instant): Allowance => ({
  key: SERVER,
  max: maxPerHour,
  since: now - HOUR_MS,
})

/** Strangers can use up one half. The other half is for people who have an account. */
const ofStrangers = (maxPerHour: number | null, now: Instant): Allowance => ({
  ...ofServer(maxPerHour, now),
  key: STRANGERS,
  max: maxPerHour && Math.ceil(maxPerHour / 2),
})

export interface EmailPermission {
  readonly maySend: boolean
  /**
   * Is true if only addresses with an account get emails, always or at the moment. The answer must then be the same for
   * all addresses and take the same time, so that it doesn't tell which ones have an account.
   */
  readonly onlyAccounts: boolean
}

/**
 * Counts an email to an address that nothing proves to be the requester's. It makes no difference whether there is an
 * account, except to the emails that the server has left. Strangers who use up a limit lock nobody out: the links in
 * the emails that were sent still work.
 *
 * @throws AppError `rate_limited`.
 */
export async function countEmail(
  db: Database,
  { to, signsIn, onlyAccounts, network, secret, maxPerHour, now }: EmailRequest,
): Promise<EmailPermission> {
  const since = now - LINK_LIFETIME_MS
  const mailbox = toMailbox(to)
  const networkKey = network === null ? null : `network ${await signText(secret, `email ${network}`)}`
  const usage = await countUnlessUsedUp(
    db,
    [
      {
        key: mailbox,
        max: signsIn ? MAX_EMAILS_TO_MAILBOX : MAX_OTHER_EMAILS_TO_MAILBOX,
        since,
        countsRequests: true,
      },
      ...(networkKey === null
        ? []
        : [{ key: networkKey, max: MAX_EMAILS_FROM_NETWORK, since, countsRequests: true }]),
      { ...ofServer(maxPerHour, now), ...(onlyAccounts && { onlyFor: 'accounts', to }) },
      ...(onlyAccounts
        ? []
        : [{ ...ofStrangers(maxPerHour, now), ...(signsIn && { onlyFor: 'strangers' as const, to }) }]),
    ],
    now,
  )
  const counted = new Set(usage.filter((allowance) => allowance.counted).map(({ key }) => key))
  const usedUp = new Set(usage.filter(({ wasUsedUp }) => wasUsedUp).map(({ key }) => key))
  const isFull = (key: string) => usedUp.has(key) && !counted.has(key)
  // The mailbox may be used up by requests that got no email because of the server.
  if (isFull(SERVER)) throw tooManyFromServer()
  if (isFull(mailbox)) throw tooManyToMailbox()
  if (networkKey !== null && isFull(networkKey)) throw tooManyFromNetwork()
  return { maySend: counted.has(SERVER), onlyAccounts: onlyAccounts || usedUp.has(STRANGERS) }
}

interface OwnEmail {
  /** The browser or the account. */
  readonly owner: string
  readonly maxPerHour: number | null
  readonly now: Instant
}

/**
 * Counts an email to an address that an account has proved to be its own, or that a browser has signed in with. Emails
 * that strangers request for the address don't count.
 *
 * @throws AppError `rate_limited`.
 */
export async function countOwnEmail(db: Database, { owner, maxPerHour, now }: OwnEmail): Promise<void> {
  const own = { key: owner, max: MAX_OWN_EMAILS, since: now - LINK_LIFETIME_MS }
  const usage = await countUnlessUsedUp(db, [own, ofServer(maxPerHour, now)], now)
  if (usage.some(({ counted }) => counted)) return
  throw usage[0]?.isUsedUp ? tooManyToMailbox() : tooManyFromServer()
}

/** Counts a report that strangers caused. Returns false if strangers have used up their emails of the hour. */
export async function countReportEmail(
  db: Database,
  maxPerHour: number | null,
  now: Instant,
): Promise<boolean> {
  const usage = await countUnlessUsedUp(db, [ofServer(maxPerHour, now), ofStrangers(maxPerHour, now)], now)
  return usage.some(({ counted }) => counted)
}
