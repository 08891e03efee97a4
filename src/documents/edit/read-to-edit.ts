import { editNotAllowed } from '../../errors.ts'
import { StoredContent } from '../content/stored-content.ts'
import type { DocumentStore } from '../document-store.ts'
import { type Document, mayEdit, type Viewer } from '../model/document.ts'
import { retryWhileStale } from '../read.ts'

/**
 * Returns the text of a document for somebody who is about to edit it. It counts no view and deletes nothing.
 *
 * @param password required for an encrypted document.
 * @throws AppError `not_found`, `bad_auth` unless the viewer may edit it, `bad_request` for a missing or wrong
 * password, `unavailable`.
 */
export const readToEdit = (
  store: DocumentStore,
  found: Document,
  { viewer, password, now }: { viewer: Viewer; password: string | undefined; now: number },
): Promise<{ readonly document: Document; readonly text: string }> =>
  retryWhileStale(store, found, now, async (document) => {
    if (!mayEdit(document, viewer)) throw editNotAllowed()
    return { document, text: await new StoredContent(store.contents, document).readText(password) }
  })

/**
 * Returns the stored content of a document (its JWE, if it's encrypted) for somebody who may edit it. It counts no
 * view and deletes nothing.
 *
 * @throws AppError `not_found`, `bad_auth` unless the viewer may edit it, `unavailable`.
 */
export const readStored = (
  store: DocumentStore,
  found: Document,
  { viewer, now }: { viewer: Viewer; now: number },
): Promise<{ readonly document: Document; readonly stored: string }> =>
  retryWhileStale(store, found, now, async (document) => {
    if (!mayEdit(document, viewer)) throw editNotAllowed()
    return { document, stored: await new StoredContent(store.contents, document).read() }
  })
