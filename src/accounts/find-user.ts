import { type Database, type Query, query } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import type { KeyScope } from './key-format.ts'
import type { User } from './user.ts'

interface UserRow {
  id: string
  username: string
  confirmed: number
  flags: number
}

const toUser = ({ id, username, confirmed, flags }: UserRow): User => ({
  id,
  username,
  confirmed: confirmed === 1,
  flags,
})

interface FoundUser {
  readonly user: User
  readonly scope: KeyScope
}

interface FoundKey extends FoundUser {
  /** When the key was last used, accurate to an hour; null before the first use. */
  readonly lastUsedAt: Instant | null
}

/** The account of an API key that hasn't expired, unless it is suspended or being deleted. */
export const selectUserByKey = (keyHash: string, now: Instant): Query<FoundKey | null> =>
  query(
    [
      `SELECT u.id, u.username, u.confirmed, u.flags, k.last_used_at, k.scope
        FROM api_keys k JOIN users u ON u.id = k.user_id
        WHERE k.key_hash = ?1 AND (k.expires_at IS NULL OR k.expires_at > ?2)
          AND u.suspended_at IS NULL AND u.leaving IS NULL`,
      keyHash,
      now,
    ],
    ([row]: (UserRow & { last_used_at: number | null; scope: KeyScope })[]) =>
      row ? { user: toUser(row), lastUsedAt: row.last_used_at, scope: row.scope } : null,
  )

/** The account of an unexpired session, unless it is suspended or being deleted. A session may do everything. */
export const selectUserBySession = (tokenHash: string, now: Instant): Query<FoundUser | null> =>
  query(
    [
      `SELECT u.id, u.username, u.confirmed, u.flags FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE s.token_hash = ?1 AND s.expires_at > ?2 AND u.suspended_at IS NULL AND u.leaving IS NULL`,
      tokenHash,
      now,
    ],
    ([row]: UserRow[]) => (row ? { user: toUser(row), scope: 'everything' } : null),
  )

export interface Profile {
  readonly id: string
  readonly username: string
  /** A bit field, see `schema.sql`. */
  readonly flags: number
  /** URL or path of the account's own picture; null for a generated one. */
  readonly icon: string | null
  readonly documentsMade: number
}

/** The columns of a `Profile`. */
export const PROFILE = 'SELECT id, username, flags, icon, documents_made AS documentsMade'

/** Returns the profile with this username, ignoring case, unless the account is suspended or being deleted. */
export async function findProfile(db: Database, username: string): Promise<Profile | null> {
  return db.first<Profile>([
    `${PROFILE} FROM users WHERE username = ?1 AND suspended_at IS NULL AND leaving IS NULL`,
    username,
  ])
}

export async function findOwnProfile(db: Database, userId: string) {
  const row = await db.first<Profile & { email: string; confirmed: number }>([
    `${PROFILE}, email, confirmed FROM users WHERE id = ?1`,
    userId,
  ])
  return row && { ...row, confirmed: row.confirmed === 1 }
}
