import type { Database } from './database.ts'

/**
 * Records that the database is as it was at a time, in milliseconds since 1970. A copy that has the record is like the
 * primary was then, or newer.
 */
export async function beat(db: Database, now: number): Promise<void> {
  await db.idempotentBatch([
    [
      `INSERT INTO heartbeat (only_row, beat_at) VALUES (1, ?1)
        ON CONFLICT (only_row) DO UPDATE SET beat_at = excluded.beat_at`,
      now,
    ],
  ])
}
