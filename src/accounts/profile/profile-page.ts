import type { Database, DatabaseReads } from '../../platform/database.ts'

/** What a profile page shows of an account. */
export interface PublicProfile {
  readonly id: string
  readonly username: string
  /** Path of the account's own picture on this site; null for a generated one. */
  readonly icon: string | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/**
 * Returns the account with this username, ignoring case, if it has a profile page. Accounts that are suspended or being
 * deleted have none.
 */
export const findProfilePage = (db: DatabaseReads, username: string): Promise<PublicProfile | null> =>
  db.first<PublicProfile>([
    `SELECT id, username, icon, created_at AS createdAt FROM users
      WHERE username = ?1 AND has_profile = 1 AND suspended_at IS NULL AND leaving IS NULL`,
    username,
  ])

/** Switches an account's profile page on or off. */
export async function setProfilePage(db: Database, userId: string, hasProfile: boolean): Promise<void> {
  await db.idempotentBatch([['UPDATE users SET has_profile = ?2 WHERE id = ?1', userId, hasProfile ? 1 : 0]])
}
