import type { Database } from '../../platform/database.ts'

interface StoredKey {
  readonly key: string
  /** The id of the document that the content was stored for. */
  readonly document: string
}

/** Returns the content keys in a list that neither a document nor a pending deletion refers to. */
export async function findOrphanedContent(db: Database, contents: readonly StoredKey[]): Promise<string[]> {
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

/** Returns where the search for orphaned content continues in KV's list; null for the start. */
export async function findCleanupCursor(db: Database): Promise<string | null> {
  const row = await db.first<{ cursor: string | null }>(['SELECT cursor FROM sweep_progress'])
  return row?.cursor ?? null
}

export async function saveCleanupCursor(db: Database, cursor: string | null): Promise<void> {
  await db.all([
    `INSERT INTO sweep_progress (only_row, cursor) VALUES (1, ?1)
      ON CONFLICT (only_row) DO UPDATE SET cursor = excluded.cursor`,
    cursor,
  ])
}
