import type { Contents } from '../documents/contents.ts'
import type { Database } from '../storage.ts'
import { descriptionOf, isDescriptionOf } from './description.ts'
import { fileNameOf, isFileOf } from './file-name.ts'
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
} from './github.ts'
import { findGistRights } from './rights.ts'
import {
  forgetGist,
  type GistWork,
  leaseGist,
  type PublishableDocument,
  postponeGist,
  recordPublished,
  recordRefusal,
} from './rows.ts'

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

/** What came of the work on one gist. */
export type Published =
  | { readonly kind: 'published'; readonly url: string }
  /** There is no gist, and there will be none. */
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'postponed' }
  /** There was nothing to do, or somebody else is at it. */
  | { readonly kind: 'idle' }

/** How often a document that changes meanwhile is published again at once; then the scheduled trigger does. */
const ROUNDS = 3

/**
 * Brings a document's gist to what it should be: makes it, changes it, or deletes it. Whatever goes wrong
 * at GitHub is noted for another attempt, or for good. Two calls at once never do the same work.
 *
 * @throws AppError `unavailable` for faults of storage; the gist is due again when its lease is over.
 */
export async function publishGist(publisher: Publisher, documentId: string): Promise<Published> {
  let published: Published = { kind: 'idle' }
  for (let round = 0; round < ROUNDS; round++) {
    const work = await leaseGist(publisher.db, documentId, publisher.clock())
    if (!work) break
    const { result, again } = await workOn(publisher, work)
    published = result
    if (!again) break
  }
  return published
}

interface Worked {
  readonly result: Published
  /** Whether the document changed meanwhile. */
  readonly again: boolean
}

async function workOn(publisher: Publisher, work: GistWork): Promise<Worked> {
  const { db, clock } = publisher
  try {
    const { document } = work
    const gist = document ? await keepGist(publisher, work, document) : await withdraw(publisher, work)
    if (!document || !gist) {
      await forgetGist(db, work)
      return { result: { kind: 'withdrawn' }, again: false }
    }
    const dueAt = await recordPublished(db, work, { gist, version: document.version })
    return { result: { kind: 'published', url: gist.url }, again: dueAt !== null && dueAt <= clock() }
  } catch (error) {
    if (!(error instanceof GistFailure)) throw error
    return { result: await settle(publisher, work, error.failure), again: false }
  }
}

const MINUTE_MS = 60_000
const MOST_BACKOFF_MS = 6 * 60 * MINUTE_MS

const backoffMs = (attempts: number): number => Math.min(MINUTE_MS * 2 ** (attempts - 1), MOST_BACKOFF_MS)

/** Notes what is to become of an attempt that failed. */
async function settle({ db, clock }: Publisher, work: GistWork, failure: Failure): Promise<Published> {
  const now = clock()
  switch (failure.kind) {
    case 'refused':
      await recordRefusal(db, work, failure.reason)
      return { kind: 'refused' }
    case 'limited':
      await postponeGist(db, work, { at: failure.until, untouchedUntil: 0, wholeAccount: true })
      break
    case 'uncertain':
      // A gist that is still being made is in no list: nobody looks for it, nor makes another, before it is.
      await postponeGist(db, work, {
        at: now + backoffMs(work.attempts),
        untouchedUntil: now + SETTLING_MS,
        wholeAccount: false,
      })
      break
    case 'unready':
      await postponeGist(db, work, {
        at: now + backoffMs(work.attempts),
        untouchedUntil: 0,
        wholeAccount: false,
      })
      break
    default:
      failure satisfies never
  }
  return { kind: 'postponed' }
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
const CLOCKS_APART_MS = 60 * MINUTE_MS

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
async function keepGist(
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
async function withdraw(publisher: Publisher, work: GistWork): Promise<null> {
  if (!work.gist && !isRepeated(work)) return null
  const access = await accessFor(publisher, work)
  if (!access) return null
  if (work.gist) await deleteGist(access, work.gist.id)
  if (isRepeated(work)) {
    for (const lost of await findLost(access, work, 0)) await deleteGist(access, lost.id)
  }
  return null
}
