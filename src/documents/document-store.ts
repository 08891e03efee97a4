import type { Database } from '../platform/database.ts'
import type { ContentStore } from './content-store.ts'
import type { Quotas } from './quotas.ts'
import type { ViewCounter } from './views.ts'

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
