import type { Database } from '../platform/database.ts'
import { hashTombstone, type TombstoneKind } from '../shared/hashing.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'

/*
 * Triggers leave a tombstone of each document and account that is deleted and that a backup may hold, so that
 * `npm run restore -- --merge` leaves it out. SQLite can't hash: the trigger writes the id, and the scheduled job
 * replaces it by its hash.
 */

const HASHED_PER_BATCH = 500
/** How many tombstones a run deletes. The next run continues. */
const MAX_DELETED = 5_000

interface NewTombstone {
  readonly recordedAt: Instant
  readonly kind: TombstoneKind
  readonly id: string
}

const hasKey = (row: string) =>
  `tombstones.recorded_at = ${row} ->> 'recordedAt' AND tombstones.kind = ${row} ->> 'kind'
    AND tombstones.id = ${row} ->> 'id'`

/** Takes one transaction, so an id is never lost. A deletion of the same second may have changed the row meanwhile. */
async function hashTombstones(db: Database, rows: readonly NewTombstone[]): Promise<void> {
  const hashed = await Promise.all(
    rows.map(async (row) => ({ ...row, hash: await hashTombstone(row.kind, row.id) })),
  )
  const json = JSON.stringify(hashed)
  await db.idempotentBatch([
    [
      `INSERT INTO tombstones (hashed, recorded_at, kind, id, ends_at)
        SELECT 1, recorded_at, kind, row.value ->> 'hash', ends_at
        FROM json_each(?1) AS row CROSS JOIN tombstones WHERE hashed = 0 AND ${hasKey('row.value')}
        ON CONFLICT DO UPDATE SET ends_at = min(ends_at, excluded.ends_at)`,
      json,
    ],
    [
      `DELETE FROM tombstones WHERE (hashed, recorded_at, kind, id) IN (
        SELECT 0, value ->> 'recordedAt', value ->> 'kind', value ->> 'id' FROM json_each(?1))`,
      json,
    ],
  ])
}

/**
 * Hashes new tombstones, and forgets backups and tombstones that are older than backups are kept. A merge refuses a backup
 * that the database has forgotten, so tombstones stay a day longer, whatever the clock of the machine that made it says.
 */
export async function processTombstones(
  db: Database,
  { now, keptDays, hasTime }: { now: Instant; keptDays: number; hasTime: () => boolean },
): Promise<{ readonly hashed: number }> {
  await db.idempotentBatch([
    ['DELETE FROM backups WHERE started_at <= ?1', now - keptDays * DAY_MS],
    [
      `DELETE FROM tombstones WHERE (hashed, recorded_at, kind, id) IN (
        SELECT hashed, recorded_at, kind, id FROM tombstones
        WHERE hashed = 1 AND recorded_at <= ?1 ORDER BY recorded_at LIMIT ${MAX_DELETED})`,
      now - (keptDays + 1) * DAY_MS,
    ],
  ])
  let hashed = 0
  while (hasTime()) {
    const rows = await db.all<NewTombstone>([
      `SELECT recorded_at AS recordedAt, kind, id FROM tombstones WHERE hashed = 0
        ORDER BY recorded_at, kind, id LIMIT ${HASHED_PER_BATCH}`,
    ])
    if (rows.length > 0) await hashTombstones(db, rows)
    hashed += rows.length
    if (rows.length < HASHED_PER_BATCH) break
  }
  return { hashed }
}
