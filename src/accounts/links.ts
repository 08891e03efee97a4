import { customAlphabet, nanoid } from 'nanoid'
import type { Database, Statement } from '../storage.ts'
import { hashSecret } from './hashing.ts'

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
 * @returns the token that the link carries; only its hash is kept.
 */
export async function makeLink(
  db: Database,
  purpose: LinkPurpose,
  { value, now }: { value: object; now: number },
): Promise<string> {
  const token = drawToken()
  await db.idempotentBatch([
    [
      `INSERT OR REPLACE INTO verifications (id, identifier, value, created_at, expires_at)
        VALUES (?1, ?1, ?2, ?3, ?4)`,
      await identifierOf(purpose, token),
      JSON.stringify(value),
      now,
      now + LINK_LIFETIME_MS,
    ],
  ])
  return token
}

export interface Link {
  /** Of the row that is to be deleted with what the link does. */
  readonly identifier: string
  readonly value: unknown
}

/** What a link is for, if it still works. It is used up only by `useLink`. */
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

/** The statement that uses a link up, for the end of the transaction that does what it is for. */
export const useLink = ({ identifier }: Link): Statement => [
  'DELETE FROM verifications WHERE identifier = ?1',
  identifier,
]

/** What a link in a mail for signing in holds: better-auth's record of it. */
export interface SignInLink {
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
