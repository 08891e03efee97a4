import type { Database } from '../platform/database.ts'
import { LINK_LIFETIME_SECONDS } from './sign-in/email-links.ts'

/** Rows that one run deletes of each table: the next run goes on. */
const MOST_AT_ONCE = 5_000

/** Forgets sessions, links and sign-ins that are over, and mails that no limit counts any more. */
export async function deleteExpiredAccountData(db: Database, now: number): Promise<void> {
  await db.idempotentBatch([
    [
      `DELETE FROM sessions WHERE token_hash IN (
        SELECT token_hash FROM sessions WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ${MOST_AT_ONCE})`,
      now,
    ],
    [
      `DELETE FROM verifications WHERE id IN (
        SELECT id FROM verifications WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ${MOST_AT_ONCE})`,
      now,
    ],
    [
      `DELETE FROM mails_sent WHERE (email, id) IN (
        SELECT email, id FROM mails_sent WHERE sent_at <= ?1 ORDER BY sent_at LIMIT ${MOST_AT_ONCE})`,
      now - LINK_LIFETIME_SECONDS * 1000,
    ],
  ])
}
