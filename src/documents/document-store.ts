import type { Database } from '../platform/database.ts'
import type { ContentStore } from './content-store.ts'
import type { Quotas } from './quotas.ts'
import type { Turns } from './turns.ts'
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
  /** Returns the address of the client, or null if it's unknown. Only writes need it, for the block lists. */
  readonly getClientAddress: () => string | null
  readonly quotas: Quotas
  readonly turns: Turns
  /** The core calls it once a document may have changed, so that a remembered row is read again. */
  readonly forget: (documentId: string) => void
  /** The core calls it once the row of a gist is due, so that the gist is published after the response. */
  readonly scheduleGistSync: (documentId: string) => void
}
