import type { Database } from '../platform/database.ts'

/** What publishing needs to know about a document. */
export interface PublishableDocument {
  readonly id: string
  readonly contentKey: string
  readonly language: string
  readonly title: string | null
  readonly public: boolean
  readonly version: string
  readonly createdAt: number
}

/** A gist to synchronize, and the lease that keeps other invocations off it. */
export interface GistLease {
  readonly documentId: string
  readonly userId: string
  /** The gist as it was last recorded; null if there is none yet. */
  readonly gist: { readonly id: string; readonly public: boolean } | null
  /** Attempts since the last success, including this one. */
  readonly attempts: number
  /** Milliseconds since 1970. Identifies the lease too: nothing is recorded once it is over. */
  readonly leasedUntil: number
  /** The document's current version; null if it is gone. */
  readonly version: string | null
  /** Null if there must be no gist: the document is gone, expired, or burns after reading. */
  readonly document: PublishableDocument | null
}

interface WorkRow {
  user_id: string
  gist_id: string | null
  gist_public: number
  attempts: number
  version: string | null
  expires_at: number
  instant_delete: number
  content_key: string
  language: string
  title: string | null
  public: number
  created_at: number
}

/** Longer than any attempt takes: `request` in gist-api.ts starts nothing that might outlast the lease. */
const LEASE_MS = 3 * 60_000

/** Random, so that two leases that start in the same millisecond differ. */
const generateLeaseMs = (): number => LEASE_MS + (crypto.getRandomValues(new Uint16Array(1))[0] ?? 0)

/**
 * Leases a document's gist, so that no other invocation works on it.
 *
 * @returns null if nothing is due at `now`, or the gist is leased.
 */
export async function leaseGist(db: Database, documentId: string, now: number): Promise<GistLease | null> {
  const leasedUntil = now + generateLeaseMs()
  const [, found] = await db.idempotentBatch([
    [
      `UPDATE gists SET leased_until = ?3, attempts = attempts + 1
        WHERE document_id = ?1 AND due_at <= ?2 AND leased_until <= ?2`,
      documentId,
      now,
      leasedUntil,
    ],
    [
      `SELECT g.user_id, g.gist_id, g.public AS gist_public, g.attempts, d.version, d.expires_at,
          d.instant_delete, d.content_key, d.language, d.title, d.public, d.created_at
        FROM gists g LEFT JOIN documents d ON d.id = g.document_id
        WHERE g.document_id = ?1 AND g.leased_until = ?2`,
      documentId,
      leasedUntil,
    ],
  ])
  const row = (found as WorkRow[] | undefined)?.[0]
  if (!row) return null
  const publishable = row.version !== null && row.expires_at > now && row.instant_delete === 0
  return {
    documentId,
    userId: row.user_id,
    gist: row.gist_id === null ? null : { id: row.gist_id, public: row.gist_public === 1 },
    attempts: row.attempts,
    leasedUntil,
    version: row.version,
    document: publishable
      ? {
          id: documentId,
          contentKey: row.content_key,
          language: row.language,
          title: row.title,
          public: row.public === 1,
          version: row.version ?? '',
          createdAt: row.created_at,
        }
      : null,
  }
}

/** Returns the documents whose gists are due and not leased, longest due first. */
export async function findDueGists(db: Database, now: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ document_id: string }>([
    'SELECT document_id FROM gists WHERE due_at <= ?1 AND leased_until <= ?1 ORDER BY due_at LIMIT ?2',
    now,
    limit,
  ])
  return rows.map((row) => row.document_id)
}
