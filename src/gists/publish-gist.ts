import { SETTLING_MS } from './gist-api.ts'
import { type Failure, GistFailure } from './gist-failure.ts'
import { type GistLease, leaseGist } from './gist-lease.ts'
import { postponeGist, recordGistDeleted, recordGistPublished, recordGistRefused } from './record-gist.ts'
import { type Publisher, removeGist, upsertGist } from './sync-gist.ts'

/** The result of synchronizing a gist. */
export type PublishResult =
  | { readonly kind: 'published'; readonly url: string }
  /** The gist has been deleted, or was never created. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'postponed' }
  /** Nothing was due, or another invocation holds the lease. */
  | { readonly kind: 'idle' }

/** How often to publish a document again right away if it changes while being published. Then the scheduled trigger does. */
const MAX_ROUNDS = 3

/**
 * Creates, updates or deletes a document's gist, whichever is due. A failure at GitHub is recorded, to be retried
 * unless GitHub refused. Two calls at the same time never do the same work.
 *
 * @throws AppError `unavailable` for storage faults; the gist is due again once its lease is over.
 */
export async function publishGist(publisher: Publisher, documentId: string): Promise<PublishResult> {
  let published: PublishResult = { kind: 'idle' }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const lease = await leaseGist(publisher.db, documentId, publisher.clock())
    if (!lease) break
    const { result, again } = await syncOnce(publisher, lease)
    published = result
    if (!again) break
  }
  return published
}

interface SyncOutcome {
  readonly result: PublishResult
  /** True if the document changed in the meantime. */
  readonly again: boolean
}

async function syncOnce(publisher: Publisher, lease: GistLease): Promise<SyncOutcome> {
  const { db, clock } = publisher
  try {
    const { document } = lease
    const gist = document ? await upsertGist(publisher, lease, document) : await removeGist(publisher, lease)
    if (!document || !gist) {
      await recordGistDeleted(db, lease)
      return { result: { kind: 'deleted' }, again: false }
    }
    const dueAt = await recordGistPublished(db, lease, { gist, version: document.version })
    return { result: { kind: 'published', url: gist.url }, again: dueAt !== null && dueAt <= clock() }
  } catch (error) {
    if (!(error instanceof GistFailure)) throw error
    return { result: await recordFailure(publisher, lease, error.failure), again: false }
  }
}

const MINUTE_MS = 60_000
const MAX_BACKOFF_MS = 6 * 60 * MINUTE_MS

const getBackoffMs = (attempts: number): number => Math.min(MINUTE_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS)

/** Records a failed attempt and when to try again. */
async function recordFailure(
  { db, clock }: Publisher,
  lease: GistLease,
  failure: Failure,
): Promise<PublishResult> {
  const now = clock()
  switch (failure.kind) {
    case 'refused':
      await recordGistRefused(db, lease, failure.reason)
      return { kind: 'refused' }
    case 'rate limited':
      await postponeGist(db, lease, { at: failure.until, lockedUntil: 0, wholeAccount: true })
      break
    case 'uncertain':
      // GitHub doesn't list a gist that it is still creating. Wait, so that no retry creates a second one.
      await postponeGist(db, lease, {
        at: now + getBackoffMs(lease.attempts),
        lockedUntil: now + SETTLING_MS,
        wholeAccount: false,
      })
      break
    case 'not ready':
      await postponeGist(db, lease, {
        at: now + getBackoffMs(lease.attempts),
        lockedUntil: 0,
        wholeAccount: false,
      })
      break
    default:
      failure satisfies never
  }
  return { kind: 'postponed' }
}
