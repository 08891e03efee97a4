import { customAlphabet } from 'nanoid'
import type { Database } from '../../platform/database.ts'
import { hashSecret } from '../../shared/hashing.ts'

/** How long an emailed link works. */
export const LINK_LIFETIME_SECONDS = 15 * 60

const generateToken = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 32)

const LINK_LIFETIME_MS = LINK_LIFETIME_SECONDS * 1000

/**
 * What a link is for: it can't be used for anything else. To change an email address, a user opens a `leave-email` link
 * at the current address, then a `take-email` link at the new one.
 */
export type LinkPurpose = 'leave-email' | 'take-email'

const toIdentifier = async (purpose: LinkPurpose, token: string) => `${purpose}:${await hashSecret(token)}`

/**
 * Creates a link that works once, for 15 minutes.
 *
 * @param value what the link confirms; stored as JSON.
 * @param replaces a link that this one consumes.
 * @returns the token to put into the link, of which only the hash is stored; null if the link to replace has already
 * been used.
 */
export async function createLink(
  db: Database,
  purpose: LinkPurpose,
  { value, now, replaces }: { value: object; now: number; replaces?: Link },
): Promise<string | null> {
  const token = generateToken()
  const identifier = await toIdentifier(purpose, token)
  const [, , created] = await db.idempotentBatch([
    [
      `INSERT OR IGNORE INTO verifications (id, identifier, value, created_at, expires_at)
        SELECT ?1, ?1, ?2, ?3, ?4
        WHERE ?5 IS NULL OR EXISTS (SELECT 1 FROM verifications WHERE identifier = ?5 AND expires_at > ?3)`,
      identifier,
      JSON.stringify(value),
      now,
      now + LINK_LIFETIME_MS,
      replaces?.identifier ?? null,
    ],
    ['DELETE FROM verifications WHERE identifier = ?1', replaces?.identifier ?? null],
    ['SELECT 1 FROM verifications WHERE identifier = ?1', identifier],
  ])
  return created?.length ? token : null
}

export interface Link {
  /** Of the row to delete in the transaction that does what the link is for. */
  readonly identifier: string
  readonly value: unknown
}

/** Returns a link if it still works, without consuming it. */
export async function findLink(
  db: Database,
  purpose: LinkPurpose,
  { token, now }: { token: string; now: number },
): Promise<Link | null> {
  const identifier = await toIdentifier(purpose, token)
  const row = await db.first<{ value: string }>([
    'SELECT value FROM verifications WHERE identifier = ?1 AND expires_at > ?2',
    identifier,
    now,
  ])
  return row && { identifier, value: JSON.parse(row.value) }
}

/** Returns the statement that consumes a link, for the transaction that does what the link is for. */
export const consumeLinkStatement = ({ identifier }: Link): readonly [sql: string, identifier: string] => [
  'DELETE FROM verifications WHERE identifier = ?1',
  identifier,
]

/** better-auth's record of a sign-in link. */
interface SignInLink {
  readonly email: string
  readonly username: string | null
}

/**
 * Returns a sign-in link if it still works, without consuming it, which better-auth does. The identifier is
 * better-auth's, hashed once more, as better-auth stores it.
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

/** Sets the username of the account that a sign-in link will create. */
export async function setSignInLinkUsername(db: Database, token: string, username: string): Promise<void> {
  await db.idempotentBatch([
    [
      "UPDATE verifications SET value = json_set(value, '$.name', ?2) WHERE identifier = ?1",
      await hashSecret(`magic-link:${await hashSecret(token)}`),
      username,
    ],
  ])
}
