import type { Database } from '../../platform/database.ts'
import type { DocumentStorage } from '../document-store.ts'
import { NEVER } from '../model/expiry.ts'

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

/** Keys of content that may be removed from KV by now. */
export async function findPendingDeletions(db: Database, now: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ content_key: string }>([
    'SELECT content_key FROM detached_contents WHERE removable_at <= ?1 ORDER BY removable_at LIMIT ?2',
    now,
    limit,
  ])
  return rows.map((row) => row.content_key)
}

/**
 * Removes detached content from KV, and only then strikes it off: cut off anywhere, what is left is work.
 * Throws the first fault of KV, after it has struck off what could be removed.
 */
export async function deleteContents(
  { db, contents }: DocumentStorage,
  keys: readonly string[],
): Promise<void> {
  const outcomes = await Promise.allSettled(keys.map((key) => contents.delete(key)))
  const removed = keys.filter((_, index) => outcomes[index]?.status === 'fulfilled')
  await db.all([
    'DELETE FROM detached_contents WHERE content_key IN (SELECT value FROM json_each(?1))',
    JSON.stringify(removed),
  ])
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

interface StoredContent {
  readonly key: string
  readonly document: string
}

/** Which of these keys no document points to, and nothing else has in hand. */
export async function findOrphanedContent(
  db: Database,
  contents: readonly StoredContent[],
): Promise<string[]> {
  const rows = await db.all<{ key: string }>([
    `SELECT value ->> 'key' AS key FROM json_each(?1) AS content
      WHERE NOT EXISTS (
        SELECT 1 FROM documents
        WHERE id = content.value ->> 'document' AND content_key = content.value ->> 'key')
      AND NOT EXISTS (SELECT 1 FROM detached_contents WHERE content_key = content.value ->> 'key')`,
    JSON.stringify(contents),
  ])
  return rows.map((row) => row.key)
}

export async function readCleanupCursor(db: Database): Promise<string | null> {
  const row = await db.first<{ cursor: string | null }>(['SELECT cursor FROM sweep_progress'])
  return row?.cursor ?? null
}

export async function writeCleanupCursor(db: Database, cursor: string | null): Promise<void> {
  await db.all([
    `INSERT INTO sweep_progress (only_row, cursor) VALUES (1, ?1)
      ON CONFLICT (only_row) DO UPDATE SET cursor = excluded.cursor`,
    cursor,
  ])
}
