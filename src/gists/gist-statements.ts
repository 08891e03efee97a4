import { gistUrlStatement } from '../documents/sql/gist-url.ts'
import type { Database } from '../platform/database.ts'
import type { Statement } from '../platform/statement.ts'
import { NEVER } from '../shared/expiry.ts'
import type { Gist } from './gist-api.ts'
import type { Refusal } from './gist-failure.ts'

/** A document as its gist is to show it. */
export interface PublishableDocument {
  readonly id: string
  readonly contentKey: string
  readonly language: string
  readonly title: string | null
  readonly public: boolean
  readonly version: string
  readonly createdAt: number
}

/** What there is to do for one gist, and the lease that keeps others off it meanwhile. */
export interface GistWork {
  readonly documentId: string
  readonly userId: string
  /** The gist that we know of. */
  readonly gist: { readonly id: string; readonly public: boolean } | null
  /** Since the last success, this one included. */
  readonly attempts: number
  /** Milliseconds since 1970. It also names the lease: nothing is written for one that is over. */
  readonly leasedUntil: number
  /** The document's present version; null when it is gone. */
  readonly version: string | null
  /** Null when there is to be no gist: the document is gone, has expired, or is read once. */
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

/** Longer than the calls of any attempt take; `ask` in github.ts begins none that might outlast it. */
const LEASE_MS = 3 * 60_000

/** Lets two leases that begin in the same millisecond end at different ones. */
const drawLeaseMs = (): number => LEASE_MS + (crypto.getRandomValues(new Uint16Array(1))[0] ?? 0)

/**
 * Takes the work on a document's gist, so that nobody else does it at the same time.
 *
 * @returns null when there is nothing to do by `now`, or somebody is at it.
 */
export async function leaseGist(db: Database, documentId: string, now: number): Promise<GistWork | null> {
  const leasedUntil = now + drawLeaseMs()
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

/** Documents whose gists have work by now that nobody is at, the longest due first. */
export async function findDueGists(db: Database, now: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ document_id: string }>([
    'SELECT document_id FROM gists WHERE due_at <= ?1 AND leased_until <= ?1 ORDER BY due_at LIMIT ?2',
    now,
    limit,
  ])
  return rows.map((row) => row.document_id)
}

/** The row of a lease that still holds: the document is ?1, the end of the lease ?2. */
const LEASED = 'document_id = ?1 AND leased_until = ?2'

/**
 * Notes that a gist shows a version of its document. It has work again when the document expires.
 *
 * @returns when there is work again, in milliseconds since 1970: at once if the document has changed or gone
 * meanwhile. Null when there is none, or the lease was over.
 */
export async function recordPublished(
  db: Database,
  { documentId, leasedUntil }: GistWork,
  { gist, version }: { gist: Gist; version: string },
): Promise<number | null> {
  const [, , row] = await db.idempotentBatch([
    gistUrlStatement({ documentId, leasedUntil }, gist.url),
    [
      `UPDATE gists SET gist_id = ?4, public = ?5, published = ?3, attempts = 0, refusal = NULL, leased_until = 0,
          due_at = iif((SELECT version FROM documents WHERE id = ?1) IS ?3,
            (SELECT nullif(expires_at, ${NEVER}) FROM documents WHERE id = ?1), due_at)
        WHERE ${LEASED}`,
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

/** Forgets a gist that is gone, or that nobody can reach any more. */
export async function forgetGist(db: Database, { documentId, leasedUntil }: GistWork): Promise<void> {
  await db.idempotentBatch([
    gistUrlStatement({ documentId, leasedUntil }, null),
    [`DELETE FROM gists WHERE ${LEASED}`, documentId, leasedUntil],
  ])
}

/** Notes that GitHub refused for good what was asked for this version of the document. */
export async function recordRefusal(
  db: Database,
  { documentId, leasedUntil, version }: GistWork,
  reason: Refusal,
): Promise<void> {
  const unchanged = '(SELECT version FROM documents WHERE id = ?1) IS ?3'
  await db.idempotentBatch([
    [
      `UPDATE gists SET leased_until = 0, due_at = iif(${unchanged}, NULL, due_at),
          refusal = iif(${unchanged}, ?4, NULL)
        WHERE ${LEASED}`,
      documentId,
      leasedUntil,
      version,
      reason,
    ],
  ])
}

interface Postponement {
  /** When it is to be tried again, in milliseconds since 1970. */
  readonly at: number
  /** Until when nobody may try, whatever changes. */
  readonly untouchedUntil: number
  /** Whether GitHub wants nothing of the account until then. */
  readonly wholeAccount: boolean
}

/** Notes that an attempt has to be made again later. */
export async function postponeGist(
  db: Database,
  { documentId, userId, leasedUntil }: GistWork,
  { at, untouchedUntil, wholeAccount }: Postponement,
): Promise<void> {
  const statements: Statement[] = [
    [
      `UPDATE gists SET due_at = ?3, leased_until = ?4 WHERE ${LEASED}`,
      documentId,
      leasedUntil,
      at,
      untouchedUntil,
    ],
  ]
  if (wholeAccount) {
    statements.push(['UPDATE gists SET due_at = ?2 WHERE user_id = ?1 AND due_at < ?2', userId, at])
  }
  await db.idempotentBatch(statements)
}

/**
 * Lets gists that were refused for good be tried again, once their account has connected GitHub anew.
 *
 * @param now milliseconds since 1970.
 */
export async function retryRefusedGists(db: Database, userId: string, now: number): Promise<void> {
  await db.idempotentBatch([
    ['UPDATE gists SET due_at = ?2, refusal = NULL WHERE user_id = ?1 AND refusal IS NOT NULL', userId, now],
  ])
}
