import { nameTaken } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'

/*
 * An account gives a document a name, which no other document of the account has. A unique index ensures it. A document
 * that has expired keeps its row until cleanup, so whoever takes the name takes it from that row first.
 */

interface AccountName {
  readonly creatorId: string
  readonly name: string
}

/**
 * Refuses a name before content is stored. Another request may still take the name meanwhile.
 *
 * @throws AppError `conflict`.
 */
export async function requireFreeName(
  db: Database,
  { creatorId, name }: AccountName,
  now: Instant,
): Promise<void> {
  const taken = await db.first([
    'SELECT 1 FROM documents WHERE creator_id = ?1 AND name = ?2 AND expires_at > ?3',
    creatorId,
    name,
    now,
  ])
  if (taken) throw nameTaken()
}

/** Comes before the statement that takes the name. */
export const releaseName = ({ creatorId, name }: AccountName, now: Instant): Statement => [
  'UPDATE documents SET name = NULL WHERE creator_id = ?1 AND name = ?2 AND expires_at <= ?3',
  creatorId,
  name,
  now,
]

/** Comes after the update that made this version. Most updates leave the name alone, and then its index. */
export const setName = ({
  id,
  version,
  name,
}: {
  readonly id: string
  readonly version: string
  readonly name: string | null
}): Statement => ['UPDATE documents SET name = ?3 WHERE id = ?1 AND version = ?2', id, version, name]

const TAKEN = /UNIQUE constraint failed: documents\.creator_id, documents\.name/

/** @throws AppError `conflict` in place of D1's error. */
export function throwNameError(error: unknown): never {
  if (error instanceof Error && TAKEN.test(error.message)) throw nameTaken(error)
  throw error
}
