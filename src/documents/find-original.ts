import type { DocumentStore } from './document-store.ts'
import { type Document, isEmbeddable, isListed, mayEdit, type Viewer } from './model/document.ts'
import { findDocument } from './sql/document-statements.ts'

interface FindOriginalOptions {
  /** Returns who asks. Called only where it makes a difference, because it may cost a query. */
  readonly viewer: () => Promise<Viewer | null>
  readonly now: number
}

/**
 * Returns the document that this one is a duplicate of; null if there is none that this viewer may know of. An unlisted
 * document is only for people who have its link, so its id is kept from all but those who can edit it. One query for a
 * duplicate, none for other documents.
 */
export async function findOriginal(
  store: DocumentStore,
  duplicate: Document,
  { viewer, now }: FindOriginalOptions,
): Promise<Document | null> {
  if (duplicate.duplicatedFrom === null || !isEmbeddable(duplicate)) return null
  const original = await findDocument(store.db, duplicate.duplicatedFrom, now)
  if (!original || !isEmbeddable(original)) return null
  return isListed(original) || mayEdit(original, await viewer()) ? original : null
}
