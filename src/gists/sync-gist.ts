import type { Contents } from '../documents/content/content-store.ts'
import type { Database } from '../platform/database.ts'
import { createGist, deleteGist, findGists, type Gist, type GitHubAccess, updateGist } from './gist-api.ts'
import { descriptionOf, isDescriptionOf } from './gist-description.ts'
import { GistFailure } from './gist-failure.ts'
import { fileNameOf, isFileOf } from './gist-file-name.ts'
import { findGistRights } from './gist-permission.ts'
import type { GistWork, PublishableDocument } from './gist-statements.ts'

/** All that publishing takes. */
export interface Publisher {
  readonly db: Database
  readonly contents: Contents
  /** GitHub's API, without a slash at the end. */
  readonly apiUrl: string
  /** What tokens are sealed with; null where there is none. */
  readonly secret: string | null
  /** Where links lead; null where nobody knows. */
  readonly siteUrl: string | null
  /** The time as it passes, in milliseconds since 1970. */
  readonly clock: () => number
}

/** Null when the account is not linked to GitHub any more. Throws GistFailure when it is, without the rights. */
async function accessFor(publisher: Publisher, work: GistWork): Promise<GitHubAccess | null> {
  const { db, secret, apiUrl, clock } = publisher
  const rights = await findGistRights(db, secret, work.userId)
  if (rights.kind === 'not_linked') return null
  if (rights.kind === 'no_rights') throw new GistFailure({ kind: 'refused', reason: 'no_rights' })
  return { apiUrl, token: rights.token, leasedUntil: work.leasedUntil, clock }
}

/**
 * Whether an attempt was made before that did not end in a success: then there may be a gist that nobody
 * told us of, or the one that we know may be gone by our own doing.
 */
const isRepeated = ({ attempts }: GistWork): boolean => attempts > 1

/** How far the clocks of GitHub and of this service may be apart. */
const CLOCKS_APART_MS = 60 * 60_000

/** The gists of a document that an attempt made whose outcome nobody knows. */
const findLost = (access: GitHubAccess, { documentId }: GistWork, since: number): Promise<Gist[]> =>
  findGists(access, {
    since: Math.max(0, since - CLOCKS_APART_MS),
    matches: (description) => isDescriptionOf(documentId, description),
  })

/**
 * Makes or changes the gist of a document.
 *
 * @returns null when somebody deleted it at GitHub: then it stays deleted.
 * @throws GistFailure when that failed.
 */
export async function keepGist(
  publisher: Publisher,
  work: GistWork,
  document: PublishableDocument,
): Promise<Gist | null> {
  const access = await accessFor(publisher, work)
  if (!access) throw new GistFailure({ kind: 'refused', reason: 'not_linked' })
  const text = await publisher.contents.get(document.contentKey)
  if (text === null) throw new GistFailure({ kind: 'unready' })

  const content = {
    description: descriptionOf(document, publisher.siteUrl),
    fileName: fileNameOf(document.id, document.language),
    text,
  }
  const isOurs = (fileName: string) => isFileOf(document.id, fileName)
  const known = work.gist
  if (known) {
    const updated =
      known.public === document.public ? await updateGist(access, known.id, { content, isOurs }) : null
    if (updated) return updated
    // GitHub can not make a secret gist public, nor a public one secret.
    const deleted = known.public !== document.public && (await deleteGist(access, known.id))
    if (!deleted && !isRepeated(work)) return null
  }
  if (isRepeated(work)) {
    const lost = await findLost(access, work, document.createdAt)
    for (const other of lost) if (other.public !== document.public) await deleteGist(access, other.id)
    const adopted = lost.find((other) => other.public === document.public)
    if (adopted) {
      const updated = await updateGist(access, adopted.id, { content, isOurs })
      if (updated) return updated
      // It was listed and is gone: the list is old, and the next attempt sees a newer one.
      throw new GistFailure({ kind: 'uncertain' })
    }
  }
  return createGist(access, { ...content, public: document.public })
}

/** Deletes all there is of a gist. Throws GistFailure when that failed. */
export async function withdrawGist(publisher: Publisher, work: GistWork): Promise<null> {
  if (!work.gist && !isRepeated(work)) return null
  const access = await accessFor(publisher, work)
  if (!access) return null
  if (work.gist) await deleteGist(access, work.gist.id)
  if (isRepeated(work)) {
    for (const lost of await findLost(access, work, 0)) await deleteGist(access, lost.id)
  }
  return null
}
