import type { Database } from '../../platform/database.ts'
import { hashSecret } from '../hashing.ts'
import { generateApiKey, generateKeyId } from './key-format.ts'

/** A key as its owner sees it: nobody sees the key itself again. Times are milliseconds since 1970. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly createdAt: number
  /** To the hour; null before its first use. */
  readonly lastUsedAt: number | null
}

/** An account's keys, the latest first. */
export async function listKeys(db: Database, userId: string): Promise<ApiKey[]> {
  return db.all<ApiKey>([
    `SELECT id, name, created_at AS createdAt, last_used_at AS lastUsedAt FROM api_keys
      WHERE user_id = ?1 ORDER BY created_at DESC, id`,
    userId,
  ])
}

/** More than anybody can tell apart. */
const MOST_KEYS = 100
export const MAX_KEY_NAME_CHARACTERS = 100

/** What came of making a key: the key, which nothing else ever returns, or why there is none. */
export type NewKey = { readonly key: string } | { readonly problem: 'full' | 'made' }

/**
 * Makes a key. Its name is 1 to 100 characters. Of those who ask with the same id one gets a key: a form that
 * is sent twice makes no second one.
 *
 * @returns the key; 'full' when the account has a hundred already, 'made' when there is a key of this id.
 */
export async function createKey(
  db: Database,
  userId: string,
  { id = generateKeyId(), name, now }: { id?: string | undefined; name: string; now: number },
): Promise<NewKey> {
  const key = generateApiKey()
  const keyHash = await hashSecret(key)
  const [, made] = await db.idempotentBatch([
    [
      `INSERT OR IGNORE INTO api_keys (key_hash, id, user_id, name, created_at)
        SELECT ?1, ?2, id, ?4, ?5 FROM users
        WHERE id = ?3 AND suspended_at IS NULL AND leaving IS NULL AND unixepoch() * 1000 < ?6
          AND (SELECT count(*) FROM api_keys WHERE user_id = ?3) < ${MOST_KEYS}`,
      keyHash,
      id,
      userId,
      name,
      now,
      // Run late, it would bring back a key that was revoked meanwhile.
      db.deadline(),
    ],
    ['SELECT key_hash AS keyHash FROM api_keys WHERE id = ?1', id],
  ])
  const [there] = (made ?? []) as { keyHash: string }[]
  if (there === undefined) return { problem: 'full' }
  return there.keyHash === keyHash ? { key } : { problem: 'made' }
}

/** Takes a key away from an account; from now on it is as if it had never been. */
export async function revokeKey(db: Database, userId: string, keyId: string): Promise<void> {
  await db.idempotentBatch([['DELETE FROM api_keys WHERE user_id = ?1 AND id = ?2', userId, keyId]])
}

/**
 * Puts a new key in the place of one.
 *
 * @returns the new key; null when the old one is gone already.
 */
export async function replaceKey(db: Database, oldKey: string): Promise<string | null> {
  const key = generateApiKey()
  const keyHash = await hashSecret(key)
  const [, replaced] = await db.idempotentBatch([
    [
      'UPDATE OR IGNORE api_keys SET key_hash = ?2, last_used_at = NULL WHERE key_hash = ?1',
      await hashSecret(oldKey),
      keyHash,
    ],
    ['SELECT 1 FROM api_keys WHERE key_hash = ?1', keyHash],
  ])
  return replaced?.length ? key : null
}

/** Writes down when a key was used. */
export async function recordKeyUse(db: Database, keyHash: string, now: number): Promise<void> {
  await db.all(['UPDATE api_keys SET last_used_at = ?2 WHERE key_hash = ?1', keyHash, now])
}
