import type { Database } from '../storage.ts'
import type { User } from './user.ts'

/** The account of a key, unless it is suspended. One query. */
export async function findUserByKeyHash(db: Database, keyHash: string): Promise<User | null> {
  const row = await db.first<{ id: string; username: string; confirmed: number }>([
    `SELECT u.id, u.username, u.confirmed FROM api_keys k JOIN users u ON u.id = k.user_id
      WHERE k.key_hash = ?1 AND u.suspended_at IS NULL`,
    keyHash,
  ])
  return row && { ...row, confirmed: row.confirmed === 1 }
}
