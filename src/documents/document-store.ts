import type { Database } from '../platform/database.ts'
import type { ContentStore } from './content-store.ts'
import type { Quotas } from './quotas.ts'
import { addViews, type ViewCounter, waitForViews } from './views.ts'

/** Where documents are stored. */
export interface DocumentStorage {
  readonly db: Database
  readonly contents: ContentStore
}

/** DocumentStorage, plus ways to continue work after the response. */
export interface DocumentStore extends DocumentStorage {
  readonly views: ViewCounter
  /** Runs work that the response doesn't wait for. Its errors are logged. */
  readonly defer: (work: () => Promise<unknown>) => void
  /** Returns the address that the request comes from, for the block lists; null or absent if it's unknown. */
  readonly getClientAddress?: () => string | null
  /** What may be stored; absent for no quotas. */
  readonly quotas?: Quotas
  /** Updates the gist of a changed or deleted document after the response. Its row is already due. */
  readonly scheduleGistSync: (documentId: string) => void
}

const FLUSH_ATTEMPTS = 3

/** Waits for views to accumulate and writes them. Tries again if that fails. */
async function writeViews({ db, views }: DocumentStore): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await waitForViews()
    try {
      return await views.flush((pendingViews) => addViews(db, pendingViews))
    } catch (error) {
      // The views aren't lost: the next view in this isolate plans the next flush.
      if (attempt === FLUSH_ATTEMPTS) throw error
    }
  }
}

/** Counts a view and returns the number including it. The row is updated later. */
export function countView(
  store: DocumentStore,
  document: { readonly id: string; readonly views: number },
  now: number,
): number {
  const count = store.views.count(document.id, document.views)
  if (store.views.planFlush(now)) {
    store.defer(() => writeViews(store))
  }
  return count
}
