import type { Database } from '../../../platform/database.ts'

export interface StoredKey {
  readonly key: string
  /** The id of the document that the content was stored for. */
  readonly document: string
}

export interface OrphanedContent {
  readonly key: string
  /** When cleanup first found it, in milliseconds since 1970; null if it's new. */
  readonly foundAt: number | null
}

/** Returns the content in a list that neither a document, a revision nor a pending deletion refers to. */
export async function findOrphanedContent(
  db: Database,
  contents: readonly StoredKey[],
): Promise<OrphanedContent[]> {
  return db.all<OrphanedContent>([
    `SELECT content.value ->> 'key' AS key, found_at AS foundAt
      FROM json_each(?1) AS content
        LEFT JOIN orphaned_contents ON content_key = content.value ->> 'key'
      WHERE NOT EXISTS (
        SELECT 1 FROM documents
        WHERE id = content.value ->> 'document' AND content_key = content.value ->> 'key')
      AND NOT EXISTS (
        SELECT 1 FROM revisions
        WHERE document_id = content.value ->> 'document' AND content_key = content.value ->> 'key')
      AND NOT EXISTS (SELECT 1 FROM detached_contents WHERE content_key = content.value ->> 'key')`,
    JSON.stringify(contents),
  ])
}

/** Records that content is orphaned. Content that is already recorded keeps its time. */
export async function noteOrphanedContent(db: Database, keys: readonly string[], now: number): Promise<void> {
  await db.all([
    'INSERT OR IGNORE INTO orphaned_contents (content_key, found_at) SELECT value, ?2 FROM json_each(?1)',
    JSON.stringify(keys),
    now,
  ])
}

/** Deletes the records of orphaned content that has been deleted from KV. */
export async function forgetOrphanedContent(db: Database, keys: readonly string[]): Promise<void> {
  await db.all([
    'DELETE FROM orphaned_contents WHERE content_key IN (SELECT value FROM json_each(?1))',
    JSON.stringify(keys),
  ])
}

/** Deletes old records, most of them of content that KV has expired itself. */
export async function forgetOldOrphans(db: Database, before: number): Promise<void> {
  await db.all(['DELETE FROM orphaned_contents WHERE found_at < ?1', before])
}
