import { auditRowsStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { hashSecret } from '../shared/hashing.ts'
import type { Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import { generateApiKey, generateKeyId, type KeyScope } from './key-format.ts'

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly createdAt: Instant
  /** When the key was last used, accurate to an hour; null before the first use. */
  readonly lastUsedAt: Instant | null
  /** When the key will expire; null if it never does. */
  readonly expiresAt: Instant | null
  readonly scope: KeyScope
}

export async function listKeys(db: Database, userId: string): Promise<ApiKey[]> {
  return db.all<ApiKey>([
    `SELECT id, name, created_at AS createdAt, last_used_at AS lastUsedAt, expires_at AS expiresAt, scope
      FROM api_keys WHERE user_id = ?1 ORDER BY created_at DESC, id`,
    userId,
  ])
}

export const MAX_KEYS = 100
export const MAX_KEY_NAME_CHARACTERS = 100

interface KeyOptions {
  readonly id?: string | undefined
  readonly name: string
  /** When the key will expire; null if it never does. */
  readonly expiresAt?: Instant | null
  readonly scope?: KeyScope
  readonly now: Instant
}

/** The parameters count from `?5`. */
export const auditKeys = (
  action: 'key.create' | 'key.revoke' | 'key.replace',
  now: Instant,
  condition: string,
  ...parameters: readonly string[]
): Statement =>
  auditRowsStatement(
    {
      action,
      now,
      actor: 'u.username',
      subject: "k.id || ' ' || k.name",
      from: `FROM api_keys k JOIN users u ON u.id = k.user_id WHERE ${condition}`,
    },
    ...parameters,
  )

/** A key can't be retrieved later. */
type NewKey = { readonly key: string } | { readonly problem: 'limit reached' | 'already created' }

/** The id makes this idempotent: a form that is sent twice creates one key. */
export async function createKey(
  db: Database,
  userId: string,
  { id = generateKeyId(), name, expiresAt = null, scope = 'everything', now }: KeyOptions,
): Promise<NewKey> {
  const key = generateApiKey()
  const keyHash = await hashSecret(key)
  const [, found] = await db.idempotentBatch([
    [
      `INSERT OR IGNORE INTO api_keys (key_hash, id, user_id, name, created_at, expires_at, scope)
        SELECT ?1, ?2, id, ?4, ?5, ?7, ?8 FROM users
        WHERE id = ?3 AND suspended_at IS NULL AND leaving IS NULL AND unixepoch() * 1000 < ?6
          AND (SELECT count(*) FROM api_keys WHERE user_id = ?3) < ${MAX_KEYS}`,
      keyHash,
      id,
      userId,
      name,
      now,
      // A statement that runs late could recreate a key that has been revoked in the meantime.
      db.deadline(),
      expiresAt,
      scope,
    ],
    ['SELECT key_hash AS keyHash FROM api_keys WHERE id = ?1', id],
    auditKeys('key.create', now, 'k.key_hash = ?5', keyHash),
  ])
  const [stored] = (found ?? []) as { keyHash: string }[]
  if (stored === undefined) return { problem: 'limit reached' }
  return stored.keyHash === keyHash ? { key } : { problem: 'already created' }
}

export async function revokeKey(db: Database, userId: string, keyId: string, now: Instant): Promise<void> {
  await db.idempotentBatch([
    auditKeys('key.revoke', now, 'k.user_id = ?5 AND k.id = ?6', userId, keyId),
    ['DELETE FROM api_keys WHERE user_id = ?1 AND id = ?2', userId, keyId],
  ])
}

/** Keeps the name, the expiry and the scope. Returns null if the old key no longer exists. */
export async function replaceKey(db: Database, oldKey: string, now: Instant): Promise<string | null> {
  const key = generateApiKey()
  const keyHash = await hashSecret(key)
  const [, replaced] = await db.idempotentBatch([
    [
      'UPDATE OR IGNORE api_keys SET key_hash = ?2, last_used_at = NULL WHERE key_hash = ?1',
      await hashSecret(oldKey),
      keyHash,
    ],
    ['SELECT 1 FROM api_keys WHERE key_hash = ?1', keyHash],
    auditKeys('key.replace', now, 'k.key_hash = ?5', keyHash),
  ])
  return replaced?.length ? key : null
}

export async function recordKeyUse(db: Database, keyHash: string, now: Instant): Promise<void> {
  await db.all(['UPDATE api_keys SET last_used_at = ?2 WHERE key_hash = ?1', keyHash, now])
}
