import type { Database } from '../storage.ts'
import { NEVER } from './expiration.ts'
import type { DocumentStore } from './store.ts'

/**
 * Deletes rows of documents that expired before an instant, the oldest first.
 *
 * @returns how many it deleted.
 */
export async function deleteExpired(db: Database, before: number, limit: number): Promise<number> {
  const deleted = await db.all([
    `DELETE FROM documents WHERE id IN (
        SELECT id FROM documents WHERE expires_at <= ?1 AND expires_at < ${NEVER}
        ORDER BY expires_at LIMIT ?2)
      RETURNING 1`,
    before,
    limit,
  ])
  return deleted.length
}

export interface Detached {
  readonly removableAt: number
  readonly key: string
}

/** Content that may be removed from KV by now. */
export async function findDetached(db: Database, now: number, limit: number): Promise<Detached[]> {
  return db.all<Detached>([
    `SELECT removable_at AS removableAt, content_key AS key FROM detached_contents
      WHERE removable_at <= ?1 ORDER BY removable_at LIMIT ?2`,
    now,
    limit,
  ])
}

/** Removes detached content from KV, and only then strikes it off: cut off anywhere, what is left is work. */
export async function removeDetached(
  { db, contents }: Pick<DocumentStore, 'db' | 'contents'>,
  detached: readonly Detached[],
): Promise<void> {
  await Promise.all(detached.map(({ key }) => contents.delete(key)))
  await db.all([
    `DELETE FROM detached_contents WHERE (removable_at, content_key) IN (
        SELECT value ->> 'removableAt', value ->> 'key' FROM json_each(?1))`,
    JSON.stringify(detached),
  ])
}

export interface StoredContent {
  readonly key: string
  readonly document: string
}

/** Which of these keys no document points to. */
export async function findOrphans(db: Database, contents: readonly StoredContent[]): Promise<string[]> {
  const rows = await db.all<{ key: string }>([
    `SELECT value ->> 'key' AS key FROM json_each(?1) AS content
      WHERE NOT EXISTS (
        SELECT 1 FROM documents
        WHERE id = content.value ->> 'document' AND content_key = content.value ->> 'key')`,
    JSON.stringify(contents),
  ])
  return rows.map((row) => row.key)
}

export async function readSweepCursor(db: Database): Promise<string | null> {
  const row = await db.first<{ cursor: string | null }>(['SELECT cursor FROM sweep_progress'])
  return row?.cursor ?? null
}

export async function writeSweepCursor(db: Database, cursor: string | null): Promise<void> {
  await db.all([
    `INSERT INTO sweep_progress (only_row, cursor) VALUES (1, ?1)
      ON CONFLICT (only_row) DO UPDATE SET cursor = excluded.cursor`,
    cursor,
  ])
}
