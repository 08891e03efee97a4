import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import { LINK_LIFETIME_SECONDS } from './sign-in/links.ts'

/** The next run continues. */
const MAX_ROWS_PER_TABLE = 5_000

export async function deleteExpiredAccountData(db: Database, now: Instant): Promise<void> {
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
