import { documentNotFound, revisionsOfCreator, unavailable } from '../../errors.ts'
import { deleteContent } from '../content/delete-content.ts'
import { StaleDocumentError } from '../content/stored-content.ts'
import type { DocumentStore } from '../document-store.ts'
import { type Document, isCreator } from '../model/document.ts'
import type { Revision } from '../model/revision.ts'
import { pauseBeforeRetry } from '../read.ts'
import { deleteRevisionsOf } from '../sql/revisions.ts'
import { openRevision, type RevisionContext, requireRevision, requireRevisions } from './require-revision.ts'

export type { Revision } from '../model/revision.ts'
export type { RevisionContext } from './require-revision.ts'
export { restoreRevision } from './restore.ts'

interface ReadContext extends RevisionContext {
  /**
   * Returns the password that the viewer sent for an encrypted document; undefined to get its JWE. Called once, before
   * a key is derived, so it may count attempts.
   */
  readonly getPassword?: (document: Document) => Promise<string | undefined>
}

interface FoundRevision {
  readonly document: Document
  readonly revision: Revision
}

/**
 * Returns a document and its revisions, newest first. The first is the current content. One call to D1.
 *
 * @throws AppError `not_found` if there is no such document, and for everyone but its creator and its editors: people
 * edit to take things out.
 */
export async function listRevisions(
  store: DocumentStore,
  id: string,
  context: RevisionContext,
): Promise<{ readonly document: Document; readonly revisions: Revision[] }> {
  return requireRevisions(store, id, context)
}

/**
 * Returns a revision without its content. One call to D1.
 *
 * @throws AppError `not_found` like `listRevisions`, and if there is no such revision.
 */
export const findRevision = (
  store: DocumentStore,
  id: string,
  number: number,
  context: RevisionContext,
): Promise<FoundRevision> => requireRevision(store, id, number, context)

/**
 * Returns a revision with its content: the text, or the JWE of an encrypted document unless the viewer sent its password.
 * A JWE needs the password that the document had when the revision was saved. Counts no view.
 *
 * @throws AppError `not_found` like `findRevision`, `bad_request` for a wrong password, `unavailable`.
 */
export async function readRevision(
  store: DocumentStore,
  id: string,
  number: number,
  { viewer, now, getPassword }: ReadContext,
): Promise<FoundRevision & { readonly content: string }> {
  let found = await requireRevision(store, id, number, { viewer, now })
  const password = found.document.encrypted ? await getPassword?.(found.document) : undefined
  for (let attempt = 1; ; attempt++) {
    try {
      const stored = openRevision(store, found.document, found.revision)
      const content = await (password === undefined ? stored.read() : stored.readText(password))
      return { ...found, content }
    } catch (error) {
      if (!(error instanceof StaleDocumentError)) throw error
      if (!(await pauseBeforeRetry(attempt))) throw unavailable(error)
    }
    // Cleanup may have copied the content to another key, or somebody may have deleted the revision.
    found = await requireRevision(store, id, number, { viewer, now })
  }
}

/**
 * Deletes all revisions of a document except its current content.
 *
 * @throws AppError `not_found` like `listRevisions`, `bad_auth` for editors, `unavailable`.
 */
export async function deleteRevisions(
  store: DocumentStore,
  id: string,
  context: RevisionContext,
): Promise<void> {
  const { document } = await requireRevisions(store, id, context)
  const viewer = await context.viewer
  if (!isCreator(document, viewer)) throw revisionsOfCreator()
  const contentKeys = await deleteRevisionsOf(store.db, id, viewer)
  if (contentKeys === null) throw documentNotFound()
  if (contentKeys.length > 0) store.defer(() => deleteContent(store, contentKeys))
}
