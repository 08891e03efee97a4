import type { ContentStore } from '../documents/content/content-store.ts'
import type { Database } from '../platform/database.ts'
import { createGist, deleteGist, findGists, type Gist, type GitHubAccess, updateGist } from './gist-api.ts'
import { formatGistDescription, isGistDescription } from './gist-description.ts'
import { GistFailure } from './gist-failure.ts'
import { getGistFileName, isDocumentFile } from './gist-file-name.ts'
import type { GistLease, PublishableDocument } from './gist-lease.ts'
import { findGistPermission } from './gist-permission.ts'

/** What publishing gists depends on. */
export interface Publisher {
  readonly db: Database
  readonly contents: ContentStore
  /** Base URL of the GitHub API, without a trailing slash. */
  readonly apiUrl: string
  /** The secret that tokens are encrypted with; null if none is set. */
  readonly secret: string | null
  /** Base URL of links; null if unknown, as in a scheduled run without `SITE_URL`. */
  readonly siteUrl: string | null
  /** Returns the current time in milliseconds since 1970. */
  readonly clock: () => number
}

/** Returns null if the account is no longer linked to GitHub. Throws GistFailure if the link doesn't allow gists. */
async function findAccess(publisher: Publisher, lease: GistLease): Promise<GitHubAccess | null> {
  const { db, secret, apiUrl, clock } = publisher
  const permission = await findGistPermission(db, secret, lease.userId)
  if (permission.kind === 'not_linked') return null
  if (permission.kind === 'missing_scope') {
    throw new GistFailure({ kind: 'refused', reason: 'no_rights' })
  }
  return { apiUrl, token: permission.token, leasedUntil: lease.leasedUntil, clock }
}

/**
 * Returns true if an earlier attempt didn't succeed. Then there may be a gist we don't know of, or we may have deleted
 * the one we know.
 */
const isRetry = ({ attempts }: GistLease): boolean => attempts > 1

/** How much the clocks of GitHub and of this service may differ. */
const MAX_CLOCK_SKEW_MS = 60 * 60_000

/** Finds gists of a document that earlier attempts created without recording them. */
const findUnrecordedGists = (
  access: GitHubAccess,
  { documentId }: GistLease,
  since: number,
): Promise<Gist[]> =>
  findGists(access, {
    since: Math.max(0, since - MAX_CLOCK_SKEW_MS),
    matches: (description) => isGistDescription(documentId, description),
  })

/**
 * Creates or updates the gist of a document.
 *
 * @returns null if someone deleted the gist at GitHub: then it stays deleted.
 * @throws GistFailure.
 */
export async function upsertGist(
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
    fileName: getGistFileName(document.id, document.language),
    text,
  }
  const isOurs = (fileName: string) => isDocumentFile(document.id, fileName)
  const known = lease.gist
  if (known) {
    const updated =
      known.public === document.public ? await updateGist(access, known.id, { content, isOurs }) : null
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
      const updated = await updateGist(access, adopted.id, { content, isOurs })
      if (updated) return updated
      // It was listed but is gone: the list is stale, and the next attempt sees a newer one.
      throw new GistFailure({ kind: 'uncertain' })
    }
  }
  return createGist(access, { ...content, public: document.public })
}

/** Deletes the gist of a document, including copies that were never recorded. Throws GistFailure. */
export async function removeGist(publisher: Publisher, lease: GistLease): Promise<null> {
  if (!lease.gist && !isRetry(lease)) return null
  const access = await findAccess(publisher, lease)
  if (!access) return null
  if (lease.gist) await deleteGist(access, lease.gist.id)
  if (isRetry(lease)) {
    for (const gist of await findUnrecordedGists(access, lease, 0)) await deleteGist(access, gist.id)
  }
  return null
}
