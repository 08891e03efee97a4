import type { Database } from '../platform/database.ts'
import { NEVER } from '../shared/expiry.ts'
import { type Instant, MINUTE_MS } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import type { Gist, Refusal } from './gist-api.ts'

/** Does nothing once the lease on the gist is over. */
const gistUrlStatement = (
  { documentId, leasedUntil }: { documentId: string; leasedUntil: Instant },
  url: string | null,
): Statement => [
  `UPDATE documents SET gist_url = ?3
    WHERE id = ?1 AND EXISTS (SELECT 1 FROM gists WHERE document_id = ?1 AND leased_until = ?2)`,
  documentId,
  leasedUntil,
  url,
]

export interface PublishableDocument {
  readonly id: string
  readonly contentKey: string
  readonly language: string
  readonly title: string | null
  readonly public: boolean
  readonly version: string
  readonly createdAt: Instant
}

export type GistLease = NonNullable<Awaited<ReturnType<typeof leaseGist>>>

interface WorkRow extends Omit<PublishableDocument, 'id' | 'public' | 'version'> {
  readonly userId: string
  readonly gistId: string | null
  readonly gistPublic: number
  readonly attempts: number
  readonly version: string | null
  readonly expiresAt: Instant
  readonly burnAfterReading: number
  readonly public: number
}

/**
 * The length of a lease, which is longer than any attempt takes: `request` in gist-api.ts starts nothing that might
 * outlast it.
 */
const LEASE_MS = 3 * MINUTE_MS

/** Returns null if nothing is due, or the gist is leased. */
export async function leaseGist(db: Database, documentId: string, now: Instant) {
  // Random, so that two leases that start in the same millisecond differ.
  const [jitterMs = 0] = crypto.getRandomValues(new Uint16Array(1))
  const leasedUntil = now + LEASE_MS + jitterMs
  const [, found] = await db.idempotentBatch([
    [
      `UPDATE gists SET leased_until = ?3, attempts = attempts + 1
        WHERE document_id = ?1 AND due_at <= ?2 AND leased_until <= ?2`,
      documentId,
      now,
      leasedUntil,
    ],
    [
      `SELECT g.user_id AS userId, g.gist_id AS gistId, g.public AS gistPublic, g.attempts, d.version,
          d.expires_at AS expiresAt, d.instant_delete AS burnAfterReading, d.content_key AS contentKey, d.language,
          d.title, d.public, d.created_at AS createdAt
        FROM gists g LEFT JOIN documents d ON d.id = g.document_id
        WHERE g.document_id = ?1 AND g.leased_until = ?2`,
      documentId,
      leasedUntil,
    ],
  ])
  const row = (found as WorkRow[] | undefined)?.[0]
  if (!row) return null
  const { userId, gistId, gistPublic, attempts, version, expiresAt, burnAfterReading, ...document } = row
  const publishable = version !== null && expiresAt > now && burnAfterReading === 0
  return {
    documentId,
    userId,
    gist: gistId === null ? null : { id: gistId, public: gistPublic === 1 },
    /** The number of attempts since the last success, including this one. */
    attempts,
    /** Identifies the lease too: nothing is recorded once it is over. */
    leasedUntil,
    version,
    /** Is null if there must be no gist. */
    document: publishable ? { ...document, id: documentId, public: row.public === 1, version } : null,
  }
}

export async function findDueGists(db: Database, now: Instant, limit: number): Promise<string[]> {
  const rows = await db.all<{ document_id: string }>([
    'SELECT document_id FROM gists WHERE due_at <= ?1 AND leased_until <= ?1 ORDER BY due_at LIMIT ?2',
    now,
    limit,
  ])
  return rows.map((row) => row.document_id)
}

/** ?1 is the document, ?2 the end of the lease. */
const LEASE_HOLDS = 'document_id = ?1 AND leased_until = ?2'

/**
 * Records a success. Returns when the gist is due again: when the document expires, or now if it has changed or gone.
 * Returns null if it never is, or if the lease is over.
 */
export async function recordGistPublished(
  db: Database,
  { documentId, leasedUntil }: GistLease,
  { gist, version }: { gist: Gist; version: string },
): Promise<Instant | null> {
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

/** Records that the gist has been deleted, or that we can no longer reach it. */
export async function recordGistDeleted(db: Database, { documentId, leasedUntil }: GistLease): Promise<void> {
  await db.idempotentBatch([
    gistUrlStatement({ documentId, leasedUntil }, null),
    [`DELETE FROM gists WHERE ${LEASE_HOLDS}`, documentId, leasedUntil],
  ])
}

/** Records a refusal. Nothing retries this version of the document. */
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
  readonly at: Instant
  /** The time until which nothing retries, even if the document changes. */
  readonly lockedUntil?: Instant
  readonly wholeAccount?: boolean
}

export async function postponeGist(
  db: Database,
  { documentId, userId, leasedUntil }: GistLease,
  { at, lockedUntil = 0, wholeAccount = false }: Postponement,
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

/** Is called once the account has reconnected GitHub. */
export async function retryRefusedGists(db: Database, userId: string, now: Instant): Promise<void> {
  await db.idempotentBatch([
    ['UPDATE gists SET due_at = ?2, refusal = NULL WHERE user_id = ?1 AND refusal IS NOT NULL', userId, now],
  ])
}
