import type { Instant } from '../shared/instant.ts'
import { type Bindings, queryRows, retry } from './bindings.ts'

/** See `src/documents/cleanup-state.ts`. */
const MARKER_KEY = 'database'

/**
 * Records that the database belongs to the content in KV, so that cleanup deletes orphaned content again. Interrupted
 * between the two writes, it leaves a cleanup that refuses to, and can be repeated.
 */
export async function adoptDatabase({ DB, CONTENTS }: Bindings, now: Instant): Promise<void> {
  const databaseId = crypto.randomUUID()
  await queryRows(
    DB,
    `INSERT INTO sweep_progress (only_row, database_id, trusted_at) VALUES (1, ?1, ?2)
      ON CONFLICT (only_row) DO UPDATE SET cursor = NULL, checked = 0, orphaned = 0,
        database_id = excluded.database_id, trusted_at = excluded.trusted_at, allowed_deletions = 0`,
    databaseId,
    now,
  )
  await retry(() => CONTENTS.put(MARKER_KEY, JSON.stringify({ databaseId, trustedAt: now })))
}
