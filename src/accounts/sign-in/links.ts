import { type Database, unlessTaken } from '../../platform/database.ts'
import { hashSecret } from '../../shared/hashing.ts'
import type { Instant } from '../../shared/instant.ts'
import type { Statement } from '../../shared/statement.ts'
import { type Admission, createUserStatements } from '../create-user.ts'
import { createSession, generateToken, type SignIn } from '../sessions.ts'
import { generateUserId } from '../user.ts'

export const LINK_LIFETIME_SECONDS = 15 * 60

/**
 * The reasons to send a link. To change an email address, a user opens a `leave-email` link at the current address,
 * then a `take-email` link at the new one. The way back to us from GitHub or another provider is a link, too, and its
 * token is the `state`.
 */
type LinkPurpose = 'sign-in' | 'github' | 'oidc' | 'leave-email' | 'take-email'

/** Hashes, so that nobody who reads the database can use a link. Earlier releases chose the prefixes. */
async function toIdentifier(purpose: LinkPurpose, token: string): Promise<string> {
  if (purpose === 'sign-in') return hashSecret(`magic-link:${await hashSecret(token)}`)
  if (purpose === 'github') return hashSecret(`auth-state:${token}`)
  return `${purpose}:${await hashSecret(token)}`
}

interface NewLink {
  /** The facts that the link confirms, which are stored as JSON. */
  readonly value: object
  readonly now: Instant
  readonly lifetimeSeconds?: number
}

/** @param condition an SQL condition. Its parameters count from ?6. */
const createStatement = (
  db: Database,
  identifier: string,
  { value, now, lifetimeSeconds = LINK_LIFETIME_SECONDS }: NewLink,
  [condition, ...parameters]: Statement = ['TRUE'],
): Statement => [
  `INSERT OR IGNORE INTO verifications (id, identifier, value, created_at, expires_at)
    SELECT ?1, ?1, ?2, ?3, ?4 WHERE unixepoch() * 1000 < ?5 AND ${condition}`,
  identifier,
  JSON.stringify(value),
  now,
  now + lifetimeSeconds * 1000,
  // A statement that runs late could bring back a link that has been used in the meantime.
  db.deadline(),
  ...parameters,
]

/** Works once, by default for 15 minutes. Only the hash of its token is stored. */
export async function createLink(db: Database, purpose: LinkPurpose, link: NewLink): Promise<string> {
  const token = generateToken()
  await db.idempotentBatch([createStatement(db, await toIdentifier(purpose, token), link)])
  return token
}

/** Returns null if the other link, which it consumes, has already been used. */
export async function replaceLink(
  db: Database,
  { identifier: replaced }: Link,
  purpose: LinkPurpose,
  link: NewLink,
): Promise<string | null> {
  const token = generateToken()
  const identifier = await toIdentifier(purpose, token)
  const [, , created] = await db.idempotentBatch([
    createStatement(db, identifier, link, [
      'EXISTS (SELECT 1 FROM verifications WHERE identifier = ?6 AND expires_at > ?3)',
      replaced,
    ]),
    consumeLinkStatement(replaced),
    ['SELECT 1 FROM verifications WHERE identifier = ?1', identifier],
  ])
  return created?.length ? token : null
}

/** Lets a link work again, as a new one would, because nobody got what replaced it. */
export const restoreLink = (db: Database, { identifier, value }: Link, now: Instant) =>
  db.idempotentBatch([createStatement(db, identifier, { value, now })])

export type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>

interface OpenedLink {
  readonly token: string
  readonly now: Instant
}

export async function findLink(db: Database, purpose: LinkPurpose, { token, now }: OpenedLink) {
  const identifier = await toIdentifier(purpose, token)
  const row = await db.first<{ value: string }>([
    'SELECT value FROM verifications WHERE identifier = ?1 AND expires_at > ?2',
    identifier,
    now,
  ])
  // The transaction that does what the link is for deletes the row.
  return row && { identifier, value: JSON.parse(row.value) as object }
}

const consumeLinkStatement = (identifier: string): readonly [sql: string, identifier: string] => [
  'DELETE FROM verifications WHERE identifier = ?1',
  identifier,
]

/** A transaction that claims a link has this long. */
const CLAIM_LIFETIME_SECONDS = 60

export type LinkClaim = ReturnType<typeof claimLink>

/** One of many transactions at once gets the link, even if it runs again. */
export function claimLink(db: Database, { identifier }: Link, now: Instant) {
  const mark = `claim:${generateToken()}`
  const statement = createStatement(db, mark, { value: {}, now, lifetimeSeconds: CLAIM_LIFETIME_SECONDS }, [
    'EXISTS (SELECT 1 FROM verifications WHERE identifier = ?6 AND expires_at > ?3)',
    identifier,
  ])
  return {
    /** The statements that consume the link. They come first in the transaction that does what the link is for. */
    statements: [statement, consumeLinkStatement(identifier)],
    /** The identifier of a row that exists from then on, if this transaction was the one that got the link. */
    mark,
  }
}

/** Returns null if the link doesn't work any more. Of many at once, one gets it. */
export async function consumeLink(
  db: Database,
  purpose: LinkPurpose,
  { token, now }: OpenedLink,
): Promise<unknown> {
  const [row] = await db.all<{ value: string }>([
    'DELETE FROM verifications WHERE identifier = ?1 AND expires_at > ?2 RETURNING value',
    await toIdentifier(purpose, token),
    now,
  ])
  return row ? JSON.parse(row.value) : null
}

/** Takes as long with an account as without. */
export async function createSignInLink(
  db: Database,
  {
    email,
    username,
    invitation,
    now,
  }: { email: string; username: string | null; invitation: string | null; now: Instant },
): Promise<{ readonly token: string; readonly accountUsername: string | null }> {
  const token = generateToken()
  // An earlier release may read it, while an upgrade or a rollback is under way.
  const value = {
    type: 'magic-link',
    email,
    ...(username !== null && { name: username }),
    ...(invitation !== null && { invitation }),
  }
  const [, accounts] = await db.idempotentBatch([
    createStatement(db, await toIdentifier('sign-in', token), { value, now }),
    ['SELECT username FROM users WHERE email = ?1', email],
  ])
  const [account] = accounts as { username: string }[]
  return { token, accountUsername: account?.username ?? null }
}

interface SignInLink {
  readonly email: string
  readonly username: string | null
  /** The hash of the token of the invitation that it was requested with. */
  readonly invitation: string | null
  /** Is null if there is no account. */
  readonly account: 'may sign in' | 'suspended' | null
}

export const findSignInLink = async (db: Database, { token, now }: OpenedLink): Promise<SignInLink | null> =>
  db.first<SignInLink>([
    `SELECT v.value ->> 'email' AS email, nullif(v.value ->> 'name', '') AS username,
        v.value ->> 'invitation' AS invitation,
        CASE WHEN u.id IS NULL THEN NULL
          WHEN u.suspended_at IS NULL AND u.leaving IS NULL THEN 'may sign in' ELSE 'suspended' END AS account
      FROM verifications v LEFT JOIN users u ON u.email = v.value ->> 'email'
      WHERE v.identifier = ?1 AND v.expires_at > ?2`,
    await toIdentifier('sign-in', token),
    now,
  ])

const accountOfLink = (identifier: string, now: string): string =>
  `FROM verifications v JOIN users u ON u.email = v.value ->> 'email'
    WHERE v.identifier = ${identifier} AND v.expires_at > ${now}`

/**
 * Signs in with a link from an email, in one transaction, so that only one of many attempts at once succeeds. The link
 * proves that the address is the user's. So an account that hasn't been confirmed loses what it had before: its
 * sessions, and its connection to GitHub.
 *
 * @param username of a new account; null creates none.
 * @returns `refused` if the link no longer works or the account may not sign in. A taken username leaves the link.
 */
export async function signInByLink(
  db: Database,
  {
    token,
    username,
    signUp,
    invitation,
    ...signIn
  }: SignIn & Admission & { readonly token: string; readonly username: string | null },
): Promise<{ readonly token: string } | 'refused' | 'username taken'> {
  const { now } = signIn
  const identifier = await toIdentifier('sign-in', token)
  const unconfirmed = `SELECT u.id ${accountOfLink('?1', '?2')} AND u.confirmed = 0`
  const session = await createSession(signIn, [accountOfLink('?5', '?6'), identifier, now])
  const signingIn = db.idempotentBatch([
    ...createUserStatements({ id: generateUserId(), username, signUp, invitation, ...signIn }, [
      "SELECT value ->> 'email' AS email FROM verifications WHERE identifier = ?6 AND expires_at > ?3",
      identifier,
    ]),
    [`DELETE FROM linked_accounts WHERE user_id IN (${unconfirmed})`, identifier, now],
    [`DELETE FROM sessions WHERE user_id IN (${unconfirmed})`, identifier, now],
    [`UPDATE users SET confirmed = 1 WHERE id IN (${unconfirmed})`, identifier, now],
    ...session.statements,
    consumeLinkStatement(identifier),
    session.result,
  ])
  const results = await unlessTaken(signingIn, null)
  if (results === null) return 'username taken'
  return results.at(-1)?.length ? { token: session.token } : 'refused'
}
