import { documentNotFound } from '../../errors.ts'
import { StoredContent } from '../content/stored-content.ts'
import type { DocumentStore } from '../document-store.ts'
import { type Document, mayEdit, type Viewer } from '../model/document.ts'
import { isDocumentId } from '../model/ids.ts'
import type { Revision, StoredRevision } from '../model/revision.ts'
import { findRevisions } from '../sql/revisions.ts'

export interface RevisionContext {
  /** Who asks. If that is still being looked up, the revisions are read in the meantime. */
  readonly viewer: Viewer | Promise<Viewer>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Returns the content of a revision. */
export const openRevision = (
  store: DocumentStore,
  document: Document,
  { contentKey, bytes, createdAt }: Revision & StoredRevision,
): StoredContent =>
  new StoredContent(store.contents, { ...document, contentKey, contentBytes: bytes, updatedAt: createdAt })

/**
 * Returns a document, its revisions and how they are stored. One call to D1.
 *
 * @throws AppError `not_found` if there is no such document, and for everyone but its creator and its editors.
 */
export async function requireRevisions(
  store: DocumentStore,
  id: string,
  { viewer, now }: RevisionContext,
  number?: number,
) {
  const found = isDocumentId(id)
    ? await findRevisions(store.db, id, number === undefined ? { now } : { now, number })
    : null
  if (!found || !mayEdit(found.document, await viewer)) throw documentNotFound()
  return found
}

/** Returns one revision. Throws `not_found` like `requireRevisions`, and if there is no such revision. */
export async function requireRevision(
  store: DocumentStore,
  id: string,
  number: number,
  context: RevisionContext,
) {
  const { document, revisions } = await requireRevisions(store, id, context, number)
  const [revision] = revisions
  if (!revision) throw documentNotFound()
  return { document, revision }
}
