import { gistUrlStatement } from '../documents/sql/gist-url.ts'
import type { Database } from '../platform/database.ts'
import type { Statement } from '../platform/statement.ts'
import { NEVER } from '../shared/expiry.ts'
import type { Gist } from './gist-api.ts'
import type { Refusal } from './gist-failure.ts'
import type { GistLease } from './gist-lease.ts'

/** True while the lease holds. ?1 is the document, ?2 the end of the lease. */
const LEASE_HOLDS = 'document_id = ?1 AND leased_until = ?2'

/**
 * Records that a gist shows a version of its document. It is due again when the document expires.
 *
 * @returns when the gist is due again, in milliseconds since 1970: now if the document has changed or gone in the
 * meantime. Null if never, or if the lease is over.
 */
export async function recordGistPublished(
  db: Database,
  { documentId, leasedUntil }: GistLease,
  { gist, version }: { gist: Gist; version: string },
): Promise<number | null> {
  const [, , row] = await db.idempotentBatch([
    gistUrlStatement({ documentId, leasedUntil }, gist.url),
    [
      `UPDATE gists SET gist_id = ?4, public = ?5, published = ?3, attempts = 0, refusal = NULL, leased_until = 0,
          due_at = iif((SELECT version FROM documents WHERE id = ?1) IS ?3,
            (SELECT nullif(expires_at, ${NEVER}) FROM documents WHERE id = ?1), due_at)
        WHERE ${LEASE_HOLDS}`,
      documentId,
      leasedUntil,
      version,
      gist.id,
      Number(gist.public),
    ],
    ['SELECT due_at FROM gists WHERE document_id = ?1 AND leased_until = 0', documentId],
  ])
  return (row as { due_at: number | null }[] | undefined)?.[0]?.due_at ?? null
}

/** Records that a gist has been deleted, or that we can no longer reach it. */
export async function recordGistDeleted(db: Database, { documentId, leasedUntil }: GistLease): Promise<void> {
  await db.idempotentBatch([
    gistUrlStatement({ documentId, leasedUntil }, null),
    [`DELETE FROM gists WHERE ${LEASE_HOLDS}`, documentId, leasedUntil],
  ])
}

/** Records that GitHub refuses this version of the document, so that nothing retries it. */
export async function recordGistRefused(
  db: Database,
  { documentId, leasedUntil, version }: GistLease,
  reason: Refusal,
): Promise<void> {
  const unchanged = '(SELECT version FROM documents WHERE id = ?1) IS ?3'
  await db.idempotentBatch([
    [
      `UPDATE gists SET leased_until = 0, due_at = iif(${unchanged}, NULL, due_at),
          refusal = iif(${unchanged}, ?4, NULL)
        WHERE ${LEASE_HOLDS}`,
      documentId,
      leasedUntil,
      version,
      reason,
    ],
  ])
}

interface Postponement {
  /** When to try again, in milliseconds since 1970. */
  readonly at: number
  /** Until when nobody may try, even if the document changes. */
  readonly lockedUntil: number
  /** True if GitHub limits the whole account until then. */
  readonly wholeAccount: boolean
}

/** Records when to try again. */
export async function postponeGist(
  db: Database,
  { documentId, userId, leasedUntil }: GistLease,
  { at, lockedUntil, wholeAccount }: Postponement,
): Promise<void> {
  const statements: Statement[] = [
    [
      `UPDATE gists SET due_at = ?3, leased_until = ?4 WHERE ${LEASE_HOLDS}`,
      documentId,
      leasedUntil,
      at,
      lockedUntil,
    ],
  ]
  if (wholeAccount) {
    statements.push(['UPDATE gists SET due_at = ?2 WHERE user_id = ?1 AND due_at < ?2', userId, at])
  }
  await db.idempotentBatch(statements)
}

/**
 * Makes refused gists due again, once their account has reconnected GitHub.
 *
 * @param now milliseconds since 1970.
 */
export async function retryRefusedGists(db: Database, userId: string, now: number): Promise<void> {
  await db.idempotentBatch([
    ['UPDATE gists SET due_at = ?2, refusal = NULL WHERE user_id = ?1 AND refusal IS NOT NULL', userId, now],
  ])
}
