import { HOUR_MS, type Instant } from '../../src/shared/instant.ts'
import { type Bindings, type ContentMetadata, listContent, queryRows } from '../support/storage.ts'

/** Permits this many deletions of orphaned content; 0 withdraws the permission. */
export const ALLOW_DELETIONS = `INSERT INTO sweep_progress (only_row, allowed_deletions) VALUES (1, ?1)
  ON CONFLICT (only_row) DO UPDATE SET allowed_deletions = excluded.allowed_deletions`

export type CleanupPreview = Awaited<ReturnType<typeof previewCleanup>>

interface Options {
  readonly now: Instant
  readonly graceMs: number
}

export async function previewCleanup({ DB, CONTENTS }: Bindings, { now, graceMs }: Options) {
  const [counts] = await queryRows<{ expired: number; pending: number; alive: number }>(
    DB,
    `SELECT (SELECT count(*) FROM documents WHERE expires_at <= ?1 - 300000) AS expired,
      (SELECT count(*) FROM detached_contents WHERE removable_at <= ?1) AS pending,
      (SELECT count(*) FROM documents WHERE expires_at > ?1) AS alive`,
    now,
  )
  const [last] = await queryRows<{ outcome: string | null; message: string | null }>(
    DB,
    'SELECT outcome, message FROM sweep_progress',
  )
  const preview = {
    contents: 0,
    /** Older than an hour, without a row that refers to it. */
    orphaned: 0,
    /** Orphaned for long enough for cleanup to delete it. */
    due: 0,
  }
  let readable = 0
  for await (const keys of listContent(CONTENTS)) {
    const stored = keys.flatMap(({ name, metadata }) => (metadata ? [{ key: name, ...metadata }] : []))
    const found = await compare(DB, stored, now)
    readable += found.readable
    preview.contents += keys.length
    const orphans = found.orphans.filter(({ putAt }) => putAt <= now - HOUR_MS)
    preview.orphaned += orphans.length
    preview.due += orphans.filter(({ foundAt }) => foundAt !== null && foundAt <= now - graceMs).length
  }
  return {
    expired: counts?.expired ?? 0,
    pending: counts?.pending ?? 0,
    ...preview,
    /** Documents whose content isn't in KV. */
    unreadable: (counts?.alive ?? 0) - readable,
    /** The outcome of the last run. */
    outcome: last?.outcome ?? null,
    message: last?.message ?? null,
  }
}

async function compare(
  db: Bindings['DB'],
  stored: readonly (ContentMetadata & { readonly key: string })[],
  now: Instant,
) {
  const rows = await queryRows<{
    expiresAt: Instant | null
    known: number
    putAt: Instant
    foundAt: Instant | null
  }>(
    db,
    `SELECT content.value ->> 'putAt' AS putAt,
      (SELECT expires_at FROM documents
        WHERE id = content.value ->> 'document' AND content_key = content.value ->> 'key') AS expiresAt,
      EXISTS (SELECT 1 FROM detached_contents WHERE content_key = content.value ->> 'key')
        OR EXISTS (SELECT 1 FROM revisions
          WHERE document_id = content.value ->> 'document' AND content_key = content.value ->> 'key')
        OR EXISTS (SELECT 1 FROM removed_documents
          WHERE id = content.value ->> 'document' AND content_key = content.value ->> 'key') AS known,
      (SELECT found_at FROM orphaned_contents WHERE content_key = content.value ->> 'key') AS foundAt
      FROM json_each(?1) AS content`,
    JSON.stringify(stored),
  )
  return {
    readable: rows.filter(({ expiresAt }) => expiresAt !== null && expiresAt > now).length,
    orphans: rows.filter(({ expiresAt, known }) => expiresAt === null && known === 0),
  }
}
