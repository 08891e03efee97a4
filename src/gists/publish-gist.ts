import { SETTLING_MS } from './gist-api.ts'
import { type Failure, GistFailure } from './gist-failure.ts'
import {
  forgetGist,
  type GistWork,
  leaseGist,
  postponeGist,
  recordPublished,
  recordRefusal,
} from './gist-statements.ts'
import { keepGist, type Publisher, withdrawGist } from './sync-gist.ts'

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
    const gist = document ? await keepGist(publisher, work, document) : await withdrawGist(publisher, work)
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
