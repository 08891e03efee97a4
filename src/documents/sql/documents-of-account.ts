import type { Database } from '../../platform/database.ts'

/** Deletes up to `limit` documents of an account. Returns the keys of their content, which is then pending deletion. */
export async function deleteDocumentsOfAccount(
  db: Database,
  creatorId: string,
  limit: number,
): Promise<string[]> {
  const deleted = await db.all<{ content_key: string }>([
    `DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE creator_id = ?1 LIMIT ?2)
      RETURNING content_key`,
    creatorId,
    limit,
  ])
  return deleted.map((row) => row.content_key)
}

/** Makes up to `limit` documents of an account anonymous. Returns how many. */
export async function anonymizeDocumentsOfAccount(
  db: Database,
  creatorId: string,
  limit: number,
): Promise<number> {
  const anonymized = await db.all([
    `UPDATE documents SET creator_id = NULL, version = hex(randomblob(6))
      WHERE id IN (SELECT id FROM documents WHERE creator_id = ?1 LIMIT ?2) RETURNING 1`,
    creatorId,
    limit,
  ])
  return anonymized.length
}
