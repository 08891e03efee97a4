import type { Document } from '../documents/model/document.ts'
import { isDocumentId } from '../documents/model/ids.ts'
import { findDocument } from '../documents/sql/document-statements.ts'
import { documentNotFound } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { findRemoval, type Removal } from './removals.ts'
import { findReports, type Report } from './reports.ts'

/** A document with its reports, or the record of its removal. */
type Case =
  | { readonly document: Document; readonly reports: readonly Report[] }
  | { readonly removal: Removal }

/**
 * Returns a document with its reports, or the record of its removal. At most two queries in sequence.
 *
 * @throws AppError `not_found` if there is neither.
 */
export async function requireCase(db: Database, id: string, now: number): Promise<Case> {
  if (!isDocumentId(id)) throw documentNotFound()
  const [document, reports] = await Promise.all([findDocument(db, id, now), findReports(db, id)])
  if (document) return { document, reports }
  const removal = await findRemoval(db, id)
  if (!removal) throw documentNotFound()
  return { removal }
}
