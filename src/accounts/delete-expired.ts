import type { Database } from '../platform/database.ts'
import { LINK_LIFETIME_SECONDS } from './sign-in/links.ts'

/** Rows deleted from each table in one run. The next run continues. */
const MAX_ROWS_PER_TABLE = 5_000

/**
 * Deletes expired sessions and emailed links, records of emails too old to count against a limit, and
 * former usernames that are no longer reserved.
 */
export async function deleteExpiredAccountData(db: Database, now: number): Promise<void> {
  await db.idempotentBatch([
    [
      `DELETE FROM sessions WHERE token_hash IN (
        SELECT token_hash FROM sessions WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ${MAX_ROWS_PER_TABLE})`,
      now,
    ],
    [
      `DELETE FROM verifications WHERE id IN (
        SELECT id FROM verifications WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ${MAX_ROWS_PER_TABLE})`,
      now,
    ],
    [
      `DELETE FROM mails_sent WHERE (email, id) IN (
        SELECT email, id FROM mails_sent WHERE sent_at <= ?1 ORDER BY sent_at LIMIT ${MAX_ROWS_PER_TABLE})`,
      now - LINK_LIFETIME_SECONDS * 1000,
    ],
    [
      `DELETE FROM former_usernames WHERE look IN (
        SELECT look FROM former_usernames WHERE reserved_until <= ?1
          ORDER BY reserved_until LIMIT ${MAX_ROWS_PER_TABLE})`,
      now,
    ],
  ])
}
