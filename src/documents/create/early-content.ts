import type { DocumentStore } from '../document-store.ts'
import { generateId, type IdLength } from '../model/ids.ts'

/** The id of a new document, and the key of its content in KV. */
interface StoredFirst {
  readonly id: string
  readonly contentKey: string
}

/** Content that is being stored although its document may be refused. */
export interface EarlyContent {
  /** Returns it once it's stored, the first time; null after that. */
  readonly take: () => Promise<StoredFirst | null>
  /** Deletes it from KV, unless somebody took it. */
  readonly discard: () => void
}

interface NewContent {
  readonly idLength: IdLength
  readonly bytes: Uint8Array
  readonly expiresAt: number
  readonly now: number
}

/** Starts to store the content of a new document. If nobody takes or discards it, cleanup deletes it. */
export function storeEarly(
  store: DocumentStore,
  { idLength, bytes, expiresAt, now }: NewContent,
): EarlyContent {
  const id = generateId(idLength)
  const storing = store.contents.put({ documentId: id, bytes, expiresAt, now })
  const stored = storing.catch(() => null)
  let taken = false
  return {
    take: async () => {
      if (taken) return null
      taken = true
      return { id, contentKey: await storing }
    },
    discard: () => {
      if (taken) return
      store.defer(async () => {
        const key = await stored
        if (key !== null) await store.contents.delete(key)
      })
    },
  }
}
