import type { ContentStore } from '../documents/content-store.ts'
import type { DocumentStore } from '../documents/document-store.ts'
import type { Database } from '../platform/database.ts'
import { HOUR_MS, type Instant, MINUTE_MS } from '../shared/instant.ts'
import { getFileExtension, TXTAR } from '../shared/languages.ts'
import { findFreeName, parseArchive } from '../shared/txtar.ts'
import {
  createGist,
  deleteGist,
  type Failure,
  findGists,
  type Gist,
  GistFailure,
  type GitHubAccess,
  SETTLING_MS,
  updateGist,
} from './gist-api.ts'
import { findGistPermission } from './gist-permission.ts'
import {
  findDueGists,
  type GistLease,
  leaseGist,
  type PublishableDocument,
  postponeGist,
  recordGistDeleted,
  recordGistPublished,
  recordGistRefused,
} from './gist-store.ts'

export const getGistFileName = (documentId: string, language: string): string =>
  `${documentId}.${getFileExtension(language)}`

/** GitHub has no folders in gists, and refuses blank files. */
export function toGistFiles(
  { id, language }: { readonly id: string; readonly language: string },
  text: string,
): ReadonlyMap<string, string> {
  const files = (language === TXTAR && parseArchive(text)) || []
  const byName = new Map<string, string>()
  for (const { name, content } of files.filter((file) => file.content.trim() !== '')) {
    const flat = name.replaceAll('/', '-').trim()
    byName.set(
      findFreeName(flat, (other) => byName.has(other)),
      content,
    )
  }
  return byName.size > 0 ? byName : new Map([[getGistFileName(id, language), text]])
}

const MAX_GIST_TITLE_CHARACTERS = 80

/**
 * A longer link is left out. With this one, the longest title and the marker, a description stays within GitHub's
 * limit.
 */
const MAX_LINK_CHARACTERS = 100

/** Every description ends with this, so that a gist can be found whose creation was never confirmed. */
const getMarker = (documentId: string): string => `Regent document ${documentId}`

export function formatGistDescription(
  { id, title }: { readonly id: string; readonly title: string | null },
  siteUrl: string | null,
): string {
  const link = `${siteUrl}/${id}`
  const shortTitle = title && [...title].slice(0, MAX_GIST_TITLE_CHARACTERS).join('')
  return [shortTitle, siteUrl !== null && link.length <= MAX_LINK_CHARACTERS ? link : null, getMarker(id)]
    .filter((part) => part !== null)
    .join(' – ')
}

/** A title can't forge a description, because the marker comes last. */
export const isGistDescription = (documentId: string, description: string): boolean =>
  description === getMarker(documentId) || description.endsWith(` – ${getMarker(documentId)}`)

export interface Publisher {
  readonly db: Database
  readonly contents: ContentStore
  readonly apiUrl: string
  readonly secret: string | null
  readonly siteUrl: string | null
  readonly clock: () => Instant
  readonly forget?: DocumentStore['forget']
}

/** Returns null without a link to GitHub. Throws GistFailure if the link doesn't allow gists. */
async function findAccess(publisher: Publisher, lease: GistLease): Promise<GitHubAccess | null> {
  const { db, secret, apiUrl, clock } = publisher
  const permission = await findGistPermission(db, secret, lease.userId)
  if (permission.kind === 'not_linked') return null
  if (permission.kind === 'missing_scope') {
    throw new GistFailure({ kind: 'refused', reason: 'no_rights' })
  }
  return { apiUrl, token: permission.token, leasedUntil: lease.leasedUntil, clock }
}

const hasAccount = async (db: Database, { userId }: GistLease): Promise<boolean> =>
  (await db.first(['SELECT 1 FROM users WHERE id = ?1', userId])) !== null

/**
 * Tells whether an attempt has failed before. Then there may be a gist we don't know of, or we may have deleted the one
 * we know.
 */
const isRetry = ({ attempts }: GistLease): boolean => attempts > 1

const MAX_GITHUB_CLOCK_SKEW_MS = HOUR_MS

const findUnrecordedGists = (
  access: GitHubAccess,
  { documentId }: GistLease,
  since: Instant,
): Promise<Gist[]> =>
  findGists(access, {
    since: Math.max(0, since - MAX_GITHUB_CLOCK_SKEW_MS),
    matches: (description) => isGistDescription(documentId, description),
  })

/** Returns null if someone deleted the gist at GitHub: then it stays deleted. */
async function upsertGist(
  publisher: Publisher,
  lease: GistLease,
  document: PublishableDocument,
): Promise<Gist | null> {
  const access = await findAccess(publisher, lease)
  if (!access) throw new GistFailure({ kind: 'refused', reason: 'not_linked' })
  const text = await publisher.contents.get(document.contentKey, { storedAt: publisher.clock() })
  if (text === null) throw new GistFailure({ kind: 'not ready' })

  const content = {
    description: formatGistDescription(document, publisher.siteUrl),
    files: toGistFiles(document, text),
  }
  const known = lease.gist
  if (known) {
    const updated = known.public === document.public ? await updateGist(access, known.id, content) : null
    if (updated) return updated
    // GitHub can't make a secret gist public or a public one secret.
    const deleted = known.public !== document.public && (await deleteGist(access, known.id))
    if (!deleted && !isRetry(lease)) return null
  }
  if (isRetry(lease)) {
    const unrecorded = await findUnrecordedGists(access, lease, document.createdAt)
    for (const other of unrecorded) if (other.public !== document.public) await deleteGist(access, other.id)
    const adopted = unrecorded.find((other) => other.public === document.public)
    if (adopted) {
      const updated = await updateGist(access, adopted.id, content)
      if (updated) return updated
      // It was listed but is gone: the list is stale, and the next attempt sees a newer one.
      throw new GistFailure({ kind: 'uncertain' })
    }
  }
  return createGist(access, { ...content, public: document.public })
}

/**
 * Deletes copies that were never recorded, too. Without a link to GitHub, the gist waits for the next one, which a
 * deleted account never makes.
 */
async function removeGist(publisher: Publisher, lease: GistLease): Promise<null> {
  if (!lease.gist && !isRetry(lease)) return null
  const access = await findAccess(publisher, lease)
  if (!access) {
    if (await hasAccount(publisher.db, lease))
      throw new GistFailure({ kind: 'refused', reason: 'not_linked' })
    return null
  }
  if (lease.gist) await deleteGist(access, lease.gist.id)
  if (isRetry(lease)) {
    for (const gist of await findUnrecordedGists(access, lease, 0)) await deleteGist(access, gist.id)
  }
  return null
}

type PublishResult =
  /** The gist has been published. It's due again if the document has changed meanwhile. */
  | { readonly kind: 'published'; readonly url: string; readonly isDue: boolean }
  /** The gist has been deleted, or was never created. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'postponed' }
  /** Nothing was due, or another invocation holds the lease. */
  | { readonly kind: 'idle' }

/** A document may change while it's being published. After this many rounds, the scheduled trigger goes on. */
const MAX_ROUNDS = 3

/** Two calls at the same time never do the same work. @throws AppError `unavailable`: due again after the lease. */
export async function publishGist(publisher: Publisher, documentId: string): Promise<PublishResult> {
  let published: PublishResult = { kind: 'idle' }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const lease = await leaseGist(publisher.db, documentId, publisher.clock())
    if (!lease) break
    published = await syncOnce(publisher, lease)
    if (published.kind !== 'published' || !published.isDue) break
  }
  return published
}

async function syncOnce(publisher: Publisher, lease: GistLease): Promise<PublishResult> {
  const { db, clock } = publisher
  try {
    const { document } = lease
    const gist = document ? await upsertGist(publisher, lease, document) : await removeGist(publisher, lease)
    if (!document || !gist) {
      await recordGistDeleted(db, lease)
      return { kind: 'deleted' }
    }
    const dueAt = await recordGistPublished(db, lease, { gist, version: document.version })
    publisher.forget?.(lease.documentId)
    return { kind: 'published', url: gist.url, isDue: dueAt !== null && dueAt <= clock() }
  } catch (error) {
    if (!(error instanceof GistFailure)) throw error
    return recordFailure(publisher, lease, error.failure)
  }
}

const MAX_BACKOFF_MS = 6 * HOUR_MS

const getBackoffMs = (attempts: number): number => Math.min(MINUTE_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS)

async function recordFailure(
  { db, clock }: Publisher,
  lease: GistLease,
  failure: Failure,
): Promise<PublishResult> {
  const now = clock()
  const nextAttempt = now + getBackoffMs(lease.attempts)
  switch (failure.kind) {
    case 'refused':
      await recordGistRefused(db, lease, failure.reason)
      return { kind: 'refused' }
    case 'rate limited':
      await postponeGist(db, lease, { at: failure.until, wholeAccount: true })
      break
    case 'uncertain':
      // GitHub doesn't list a gist that it is still creating. Wait, so that no retry creates a second one.
      await postponeGist(db, lease, { at: nextAttempt, lockedUntil: now + SETTLING_MS })
      break
    case 'not ready':
      await postponeGist(db, lease, { at: nextAttempt })
      break
    default:
      failure satisfies never
  }
  return { kind: 'postponed' }
}

/** An attempt takes a few requests to GitHub, and Workers limits the requests of an invocation. */
const MAX_GISTS_PER_RUN = 50

/**
 * Publishes one after the other, as GitHub asks. It may run twice at once and be interrupted.
 *
 * @throws the first storage fault.
 */
export async function publishDueGists(publisher: Publisher, budgetMs: number) {
  const report = { published: 0, deleted: 0, refused: 0, postponed: 0, complete: true }
  const end = publisher.clock() + budgetMs
  const faults: unknown[] = []
  const due = await findDueGists(publisher.db, publisher.clock(), MAX_GISTS_PER_RUN)
  report.complete = due.length < MAX_GISTS_PER_RUN
  for (const documentId of due) {
    if (publisher.clock() >= end) {
      report.complete = false
      break
    }
    try {
      const { kind } = await publishGist(publisher, documentId)
      if (kind !== 'idle') report[kind] += 1
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
  return report
}
