import { AUDIT_RETENTION_DAYS } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { DAY_MS } from '../shared/instant.ts'

/** The addresses of creators without an account are kept so long. */
export const ADDRESS_RETENTION_DAYS = 30

/** The author of a removed document, and appeals, need its title so long. */
export const REMOVAL_TITLE_RETENTION_DAYS = 90

/** Rows changed in one run. The next run continues. */
const MAX_ROWS = 5_000

export async function deleteExpiredModerationData(db: Database, now: number): Promise<void> {
  await db.idempotentBatch([
    [
      `UPDATE documents SET creator_address = NULL WHERE id IN (
        SELECT id FROM documents INDEXED BY documents_by_address
        WHERE creator_address IS NOT NULL AND created_at <= ?1 ORDER BY created_at LIMIT ${MAX_ROWS})`,
      now - ADDRESS_RETENTION_DAYS * DAY_MS,
    ],
    [
      `UPDATE removals SET title = NULL WHERE document_id IN (
        SELECT document_id FROM removals
        WHERE title IS NOT NULL AND removed_at <= ?1 ORDER BY removed_at LIMIT ${MAX_ROWS})`,
      now - REMOVAL_TITLE_RETENTION_DAYS * DAY_MS,
    ],
    [
      `DELETE FROM audit_log WHERE id IN (
        SELECT id FROM audit_log WHERE at <= ?1 AND at <= unixepoch() * 1000 - ${AUDIT_RETENTION_DAYS * DAY_MS}
        ORDER BY at LIMIT ${MAX_ROWS})`,
      now - AUDIT_RETENTION_DAYS * DAY_MS,
    ],
  ])
}
