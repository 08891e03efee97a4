import type { Database } from '../platform/database.ts'
import type { DocumentStorage } from './document-store.ts'

/** Returns the keys of content that cleanup may delete from KV by now, the longest due first. */
export async function findPendingDeletions(db: Database, now: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ content_key: string }>([
    'SELECT content_key FROM detached_contents WHERE removable_at <= ?1 ORDER BY removable_at LIMIT ?2',
    now,
    limit,
  ])
  return rows.map((row) => row.content_key)
}

/** Deletes the records of pending deletions, once KV no longer holds the content. */
async function deletePendingDeletions(db: Database, contentKeys: readonly string[]): Promise<void> {
  await db.all([
    'DELETE FROM detached_contents WHERE content_key IN (SELECT value FROM json_each(?1))',
    JSON.stringify(contentKeys),
  ])
}

/**
 * Deletes content from KV, then its pending deletions from the database. Interrupted at any point, it leaves
 * pending deletions for cleanup, never garbage.
 *
 * @throws the first fault of KV, after it has recorded what KV did delete.
 */
export async function deleteContent(
  { db, contents }: DocumentStorage,
  contentKeys: readonly string[],
): Promise<void> {
  const outcomes = await Promise.allSettled(contentKeys.map((key) => contents.delete(key)))
  const deleted = contentKeys.filter((_, index) => outcomes[index]?.status === 'fulfilled')
  await deletePendingDeletions(db, deleted)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
