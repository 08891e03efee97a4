import { customAlphabet, nanoid } from 'nanoid'
import type { Database } from '../../platform/database.ts'
import { hashSecret } from '../hashing.ts'

/** How long a link in a mail works. */
export const LINK_LIFETIME_SECONDS = 15 * 60

const drawToken = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 32)

const LINK_LIFETIME_MS = LINK_LIFETIME_SECONDS * 1000

/** Mails that one address is sent within the lifetime of a link. */
const MOST_MAILS = 10

/**
 * Notes that a mail goes out to an address. False when it had enough of them lately, whoever asked for
 * them, and whether or not there is an account.
 */
export async function mayMail(db: Database, email: string, now: number): Promise<boolean> {
  const id = nanoid()
  const [, counted] = await db.idempotentBatch([
    [
      `INSERT OR IGNORE INTO mails_sent (email, id, sent_at) SELECT ?1, ?2, ?3
        WHERE (SELECT count(*) FROM mails_sent WHERE email = ?1 AND sent_at > ?4) < ${MOST_MAILS}`,
      email,
      id,
      now,
      now - LINK_LIFETIME_MS,
    ],
    ['SELECT 1 FROM mails_sent WHERE email = ?1 AND id = ?2', email, id],
  ])
  return counted?.length === 1
}

/** What a link is for: following one never does what another was made for. */
export type LinkPurpose = 'leave-email' | 'take-email'

const identifierOf = async (purpose: LinkPurpose, token: string) => `${purpose}:${await hashSecret(token)}`

/**
 * Makes a link that works once, for a quarter of an hour.
 *
 * @param value what whoever follows it proves to want, as JSON.
 * @param used another link that is used up by this one: the token is null if somebody was first.
 * @returns the token that the link carries; only its hash is kept.
 */
export async function makeLink(
  db: Database,
  purpose: LinkPurpose,
  { value, now, used }: { value: object; now: number; used?: Link },
): Promise<string | null> {
  const token = drawToken()
  const identifier = await identifierOf(purpose, token)
  const [, , made] = await db.idempotentBatch([
    [
      `INSERT OR IGNORE INTO verifications (id, identifier, value, created_at, expires_at)
        SELECT ?1, ?1, ?2, ?3, ?4
        WHERE ?5 IS NULL OR EXISTS (SELECT 1 FROM verifications WHERE identifier = ?5 AND expires_at > ?3)`,
      identifier,
      JSON.stringify(value),
      now,
      now + LINK_LIFETIME_MS,
      used?.identifier ?? null,
    ],
    ['DELETE FROM verifications WHERE identifier = ?1', used?.identifier ?? null],
    ['SELECT 1 FROM verifications WHERE identifier = ?1', identifier],
  ])
  return made?.length ? token : null
}

export interface Link {
  /** Of the row that is to be deleted with what the link does. */
  readonly identifier: string
  readonly value: unknown
}

/** What a link is for, if it still works. Only `useLink` uses it up. */
export async function findLink(
  db: Database,
  purpose: LinkPurpose,
  { token, now }: { token: string; now: number },
): Promise<Link | null> {
  const identifier = await identifierOf(purpose, token)
  const row = await db.first<{ value: string }>([
    'SELECT value FROM verifications WHERE identifier = ?1 AND expires_at > ?2',
    identifier,
    now,
  ])
  return row && { identifier, value: JSON.parse(row.value) }
}

/** The statement that uses a link up, for the transaction that does what it is for. */
export const useLink = ({ identifier }: Link): readonly [sql: string, identifier: string] => [
  'DELETE FROM verifications WHERE identifier = ?1',
  identifier,
]

/** What a link in a mail for signing in holds: better-auth's record of it. */
interface SignInLink {
  readonly email: string
  readonly username: string | null
}

/**
 * What a link for signing in is for, if it still works, without using it up: better-auth does that.
 * Its identifier is better-auth's, hashed once more as it stores them.
 */
export async function findSignInLink(
  db: Database,
  { token, now }: { token: string; now: number },
): Promise<SignInLink | null> {
  const row = await db.first<{ value: string }>([
    'SELECT value FROM verifications WHERE identifier = ?1 AND expires_at > ?2',
    await hashSecret(`magic-link:${await hashSecret(token)}`),
    now,
  ])
  if (!row) return null
  const { email, name } = JSON.parse(row.value) as { email: string; name?: string }
  return { email, username: name || null }
}

/** Writes the name that was chosen into a link for signing in, for the account that it makes. */
export async function nameSignInLink(db: Database, token: string, username: string): Promise<void> {
  await db.idempotentBatch([
    [
      "UPDATE verifications SET value = json_set(value, '$.name', ?2) WHERE identifier = ?1",
      await hashSecret(`magic-link:${await hashSecret(token)}`),
      username,
    ],
  ])
}
