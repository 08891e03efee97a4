import { getWriteMark } from '../platform/database.ts'
import type { Document } from './model/document.ts'

/** How long a document may be used again without asking the database, in milliseconds. */
const MAX_AGE_MS = 1_000

/** A document without its content takes about a kilobyte, and at most ten. */
const MAX_DOCUMENTS = 500

interface Entry {
  readonly document: Document
  /** When the query was sent, in milliseconds since 1970. */
  readonly readAt: number
  readonly writeMark: number
}

/**
 * The documents, without their contents, that an isolate read less than a second ago: many people who open the same link
 * take one query. Once the isolate writes anything but views, they count as outdated.
 */
export class RecentDocuments {
  readonly #entries = new Map<string, Entry>()

  /** Returns a document that was read less than a second ago, and hasn't expired. Null if there is none. */
  find(id: string, now: number): Document | null {
    const entry = this.#entries.get(id)
    if (!entry) return null
    const age = now - entry.readAt
    if (age >= 0 && age < MAX_AGE_MS && entry.writeMark === getWriteMark())
      return entry.document.expiresAt > now ? entry.document : null
    this.#entries.delete(id)
    return null
  }

  /**
   * Runs a query for a document, and remembers what it finds unless reading deletes it or a write began or ended in the
   * meantime.
   *
   * @param now when the query is sent, in milliseconds since 1970.
   */
  async remember(find: () => Promise<Document | null>, now: number): Promise<Document | null> {
    const writeMark = getWriteMark()
    const document = await find()
    if (!document || document.burnAfterReading || writeMark !== getWriteMark()) return document
    // The oldest comes first.
    this.#entries.delete(document.id)
    this.#entries.set(document.id, { document, readAt: now, writeMark })
    if (this.#entries.size > MAX_DOCUMENTS) this.#deleteOldest()
    return document
  }

  #deleteOldest(): void {
    for (const id of this.#entries.keys()) {
      this.#entries.delete(id)
      return
    }
  }
}
