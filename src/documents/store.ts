import type { Database } from '../storage.ts'
import type { Contents } from './contents.ts'
import { addViews } from './rows.ts'
import { gathered, type ViewCounter } from './views.ts'

/** All that documents are kept in, and how work goes on after the response. */
export interface DocumentStore {
  readonly db: Database
  readonly contents: Contents
  readonly views: ViewCounter
  /** Runs work whose outcome no response waits for; its faults are logged. */
  readonly defer: (work: () => Promise<unknown>) => void
}

/** Counts a view of a document, including the one that is returned. The row is written later. */
export function countView(
  store: DocumentStore,
  document: { readonly id: string; readonly views: number },
  now: number,
): number {
  const count = store.views.count(document.id, document.views)
  if (store.views.planFlush(now)) {
    store.defer(async () => {
      await gathered()
      await store.views.flush((views) => addViews(store.db, views))
    })
  }
  return count
}
