import type { Database } from '../platform/database.ts'
import type { Contents } from './content/content-store.ts'
import { addViews } from './sql/views.ts'
import { gathered, type ViewCounter } from './view-counter.ts'

/** What documents are kept in. */
export interface DocumentStorage {
  readonly db: Database
  readonly contents: Contents
}

/** The same, and how work goes on after the response. */
export interface DocumentStore extends DocumentStorage {
  readonly views: ViewCounter
  /** Runs work whose outcome no response waits for; its faults are logged. */
  readonly defer: (work: () => Promise<unknown>) => void
  /** Told of a document with a gist that has changed or gone. The row of the gist is due already. */
  readonly gistDue: (documentId: string) => void
}

const FLUSH_ATTEMPTS = 3

/** Writes the views that gather from now on, and tries again when that fails. */
async function writeViews({ db, views }: DocumentStore): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await gathered()
    try {
      return await views.flush((gatheredViews) => addViews(db, gatheredViews))
    } catch (error) {
      // They stay gathered: the next view of this isolate plans the next flush.
      if (attempt === FLUSH_ATTEMPTS) throw error
    }
  }
}

/** Counts a view of a document, including the one that is returned. The row is written later. */
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
