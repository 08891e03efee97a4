import type { Database } from '../../platform/database.ts'

/** Adds views to many documents in one statement. */
export async function addViews(db: Database, viewsById: ReadonlyMap<string, number>): Promise<void> {
  await db.all(
    [
      `UPDATE documents SET views = views + counted.number
        FROM (SELECT value ->> 0 AS id, value ->> 1 AS number FROM json_each(?1)) AS counted
        WHERE documents.id = counted.id`,
      JSON.stringify([...viewsById]),
    ],
    { onlyViews: true },
  )
}
