import type { Database } from '../platform/database.ts'
import type { ContentStore } from './content-store.ts'
import type { Quotas } from './quotas.ts'
import type { ViewCounter } from './views.ts'

export interface DocumentStorage {
  readonly db: Database
  readonly contents: ContentStore
}

/** Storage, and what the core needs of the request. */
export interface DocumentStore extends DocumentStorage {
  readonly views: ViewCounter
  /** Logs the errors of the work. */
  readonly defer: (work: () => Promise<unknown>) => void
  /** Only writes need it, for the block lists. Null if it's unknown. */
  readonly getClientAddress: () => string | null
  readonly quotas: Quotas
  /** The core calls it once a document may have changed, so that a remembered row is read again. */
  readonly forget: (documentId: string) => void
  /** After the response. The row of the gist is already due. */
  readonly scheduleGistSync: (documentId: string) => void
}
