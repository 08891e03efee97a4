import type { Database } from '../../platform/database.ts'

/** Deletes some of the documents of an account, their content detached. Returns the keys of that content. */
export async function deleteSomeOf(db: Database, creatorId: string, limit: number): Promise<string[]> {
  const deleted = await db.all<{ content_key: string }>([
    `DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE creator_id = ?1 LIMIT ?2)
      RETURNING content_key`,
    creatorId,
    limit,
  ])
  return deleted.map((row) => row.content_key)
}

/** Lets some of the documents of an account go on without a creator. Returns how many. */
export async function releaseSomeOf(db: Database, creatorId: string, limit: number): Promise<number> {
  const released = await db.all([
    `UPDATE documents SET creator_id = NULL, version = hex(randomblob(6))
      WHERE id IN (SELECT id FROM documents WHERE creator_id = ?1 LIMIT ?2) RETURNING 1`,
    creatorId,
    limit,
  ])
  return released.length
}
