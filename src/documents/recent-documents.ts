import { getSizeInMemory, LruCache } from '../platform/lru-cache.ts'
import type { Instant } from '../shared/instant.ts'
import type { Document } from './document.ts'

/** How long an isolate may reuse a row that it has read. */
export const ROW_MEMORY_MS = 1_000

/**
 * Resolves once no isolate remembers a row as it was before this call. Code that adds a protection waits for it, so that
 * the answer doesn't promise what other isolates don't do yet.
 */
export const outlastRowMemory = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ROW_MEMORY_MS))

/** The memory of about two thousand documents. */
const MAX_BYTES = 2 * 1024 * 1024

/** Returns roughly how much memory a document takes without its content. */
const getDocumentBytes = ({ editors, givenTitle, title }: Document): number =>
  1_000 + 100 * editors.length + getSizeInMemory(`${title}${givenTitle}`)

interface Entry {
  readonly document: Document
  /** The time when the query was sent. */
  readonly readAt: Instant
}

/**
 * The documents, without their contents, that an isolate read less than a second ago: many people who open the same
 * link take one query. A change of a document makes its own isolate forget it.
 */
export class RecentDocuments {
  readonly #entries = new LruCache<Entry>({
    maxBytes: MAX_BYTES,
    getBytes: ({ document }) => getDocumentBytes(document),
  })
  #forgotten = 0

  find(id: string, now: Instant): Document | null {
    const entry = this.#entries.get(id)
    if (!entry) return null
    const age = now - entry.readAt
    if (age >= 0 && age < ROW_MEMORY_MS) return entry.document.expiresAt > now ? entry.document : null
    this.#entries.delete(id)
    return null
  }

  /**
   * Remembers what it finds, unless reading deletes it or any document is forgotten meanwhile, since it may have been
   * read before the change. `now` is when the query is sent.
   */
  async remember(find: () => Promise<Document | null>, now: Instant): Promise<Document | null> {
    const forgotten = this.#forgotten
    const document = await find()
    if (!document || document.burnAfterReading || forgotten !== this.#forgotten) return document
    this.#entries.set(document.id, { document, readAt: now })
    return document
  }

  forget(id: string): void {
    this.#forgotten += 1
    this.#entries.delete(id)
  }
}
