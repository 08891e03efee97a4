import { documentNotFound } from '../errors.ts'
import { StoredContent } from './content/stored-content.ts'
import type { DocumentStore } from './document-store.ts'
import type { Document } from './model/document.ts'
import { retryWhileStale } from './read.ts'

/** Returns true if a picture may show the content to everyone who has the link, and showing it deletes nothing. */
export const hasOpenContent = ({ burnAfterReading, encrypted }: Document): boolean =>
  !burnAfterReading && !encrypted

interface StartOptions {
  /** Bytes of UTF-8. */
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Returns the start of a document's text, for a picture of it. Counts no view.
 *
 * @throws AppError `not_found` for an encrypted document and one that burns after reading, `unavailable` if the content
 * can't be fetched now.
 */
export const readStart = (
  store: DocumentStore,
  found: Document,
  { maxBytes, now }: StartOptions,
): Promise<{ readonly document: Document; readonly start: string }> =>
  retryWhileStale(store, found, now, async (document) => {
    if (!hasOpenContent(document)) throw documentNotFound()
    return { document, start: await new StoredContent(store.contents, document).readStart(maxBytes) }
  })
