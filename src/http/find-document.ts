import type { Document } from '../documents/model/document.ts'
import { isDocumentId } from '../documents/model/ids.ts'
import { requireDocument } from '../documents/read.ts'
import { findDocumentNearby } from '../documents/sql/document-statements.ts'
import type { AppContext } from '../env.ts'
import { documentNotFound } from '../errors.ts'
import { findNearestCopy } from './nearest-copy.ts'

/**
 * Returns the document that a request reads, without its content.
 *
 * It may be from a copy of the database that is a moment behind, unless it burns after reading or the request has a
 * credential: creators and editors see their changes at once.
 *
 * @throws AppError `not_found` when there is none.
 */
export async function findDocumentToRead(c: AppContext, id: string): Promise<Document> {
  const { now, store } = c.var
  const copy = findNearestCopy(c)
  if (copy === null) return requireDocument(store, id, now)
  const document = isDocumentId(id) ? await findDocumentNearby(copy, id, now) : null
  if (!document) throw documentNotFound()
  return document
}
