import type { DocumentStorage } from '../document-store.ts'
import { deletePendingDeletions } from '../sql/cleanup/pending-deletions.ts'

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
