import { customAlphabet, nanoid } from 'nanoid'
import { auditRowsStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { hashSecret } from '../shared/hashing.ts'
import { DAY_MS, type Instant, MINUTE_MS } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import { auditKeys } from './api-keys.ts'

/** Generates a token of 190 random bits. */
export const generateToken = customAlphabet(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  32,
)

export interface SignIn {
  /** The token of the session that the browser has, which ends: someone may have planted it. */
  readonly previousToken: string | null
  /** The network that the request comes from, for the audit log: never a whole address. */
  readonly network: string
  readonly now: Instant
  readonly sessionDays: number
}

/** @param from the SQL that selects the account as `u`, ending in a condition. Its parameters count from ?5. */
export async function createSession(
  { previousToken, network, now, sessionDays }: SignIn,
  [from, ...parameters]: Statement,
) {
  const token = generateToken()
  const hash = await hashSecret(token)
  const statements: Statement[] = [
    [
      `INSERT OR IGNORE INTO sessions (token_hash, id, user_id, created_at, expires_at)
          SELECT ?1, ?2, u.id, ?3, ?4 ${from} AND u.suspended_at IS NULL AND u.leaving IS NULL`,
      hash,
      nanoid(),
      now,
      now + sessionDays * DAY_MS,
      ...parameters,
    ],
    [
      `DELETE FROM sessions WHERE token_hash = ?1
          AND EXISTS (SELECT 1 FROM sessions WHERE token_hash = ?2)`,
      previousToken && (await hashSecret(previousToken)),
      hash,
    ],
    auditRowsStatement(
      {
        action: 'sign-in',
        now,
        network,
        actor: 'username',
        subject: 'NULL',
        from: 'FROM users WHERE id = (SELECT user_id FROM sessions WHERE token_hash = ?5)',
      },
      hash,
    ),
  ]
  const result: Statement = ['SELECT user_id AS userId FROM sessions WHERE token_hash = ?1', hash]
  return {
    /** Goes into the cookie. Only its hash is stored. */
    token,
    /** Belongs into the transaction that checks the sign-in, which may run again. */
    statements,
    /** The last statement of the transaction: returns the `userId` of the session, or nothing if it didn't start. */
    result,
  }
}

export async function endSession(db: Database, token: string): Promise<void> {
  await db.idempotentBatch([['DELETE FROM sessions WHERE token_hash = ?1', await hashSecret(token)]])
}

export async function endSessions(
  db: Database,
  userId: string,
  { revokeKeys, now }: { revokeKeys: boolean; now: Instant },
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

export const FRESH_SESSION_MINUTES = 10

/** Somebody who finds an unlocked browser has only an old session, which isn't enough for this. */
export async function isFreshSession(db: Database, token: string, now: Instant): Promise<boolean> {
  const row = await db.first([
    'SELECT 1 FROM sessions WHERE token_hash = ?1 AND created_at > ?2',
    await hashSecret(token),
    now - FRESH_SESSION_MINUTES * MINUTE_MS,
  ])
  return row !== null
}
