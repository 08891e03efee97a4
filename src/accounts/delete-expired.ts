import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import { KEPT_MS } from './invitation-statements.ts'
import { COUNTED_MS } from './sign-in/email-limits.ts'

/** How many rows of a table a run deletes. The next run continues. */
const MAX_ROWS_PER_TABLE = 5_000

const deleteExpired = (table: string, key: string, time: string, until: Instant): Statement => [
  `DELETE FROM ${table} WHERE (${key}) IN (
    SELECT ${key} FROM ${table} WHERE ${time} <= ?1 ORDER BY ${time} LIMIT ${MAX_ROWS_PER_TABLE})`,
  until,
]

export async function deleteExpiredAccountData(db: Database, now: Instant): Promise<void> {
  await db.idempotentBatch([
    deleteExpired('sessions', 'token_hash', 'expires_at', now),
    deleteExpired('verifications', 'id', 'expires_at', now),
    deleteExpired('invitations', 'token_hash', 'expires_at', now - KEPT_MS),
    deleteExpired('mails_sent', 'email, id', 'sent_at', now - COUNTED_MS),
    deleteExpired('former_usernames', 'look', 'reserved_until', now),
  ])
}
