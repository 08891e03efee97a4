import type { Database } from '../platform/database.ts'
import { hashSecret } from '../shared/hashing.ts'
import { DAY_SECONDS, MINUTE_MS } from '../shared/instant.ts'
import { auditKeys } from './api-keys.ts'

/** Long, because signing in means waiting for an email. */
export const SESSION_LIFETIME_SECONDS = 30 * DAY_SECONDS

/** Ends a session. Does nothing if it has already ended. */
export async function endSession(db: Database, token: string): Promise<void> {
  await db.idempotentBatch([['DELETE FROM sessions WHERE token_hash = ?1', await hashSecret(token)]])
}

/** Ends all sessions of an account and, if asked to, revokes all its API keys. */
export async function endSessions(
  db: Database,
  userId: string,
  { revokeKeys, now }: { revokeKeys: boolean; now: number },
): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM sessions WHERE user_id = ?1', userId],
    ...(revokeKeys
      ? [
          auditKeys('key.revoke', now, 'k.user_id = ?5', userId),
          ['DELETE FROM api_keys WHERE user_id = ?1', userId] as const,
        ]
      : []),
  ])
}

/** How long after signing in a session may do what needs a fresh sign-in. */
export const FRESH_SESSION_MINUTES = 10

/** Returns true if a session started a short time ago. Whoever finds an unlocked browser has only an old one. */
export async function isFreshSession(db: Database, token: string, now: number): Promise<boolean> {
  const row = await db.first([
    'SELECT 1 FROM sessions WHERE token_hash = ?1 AND created_at > ?2',
    await hashSecret(token),
    now - FRESH_SESSION_MINUTES * MINUTE_MS,
  ])
  return row !== null
}
