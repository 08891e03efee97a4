import type { Document } from '../documents/model/document.ts'
import { isDocumentId } from '../documents/model/ids.ts'
import { requireDocument } from '../documents/read.ts'
import { findDocumentNearby } from '../documents/sql/document-statements.ts'
import type { AppContext } from '../env.ts'
import { documentNotFound } from '../errors.ts'
import type { NearestCopy } from '../platform/nearest-copy.ts'
import { askAlongside } from './identity/ask-alongside.ts'
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
  const copy = findNearestCopy(c)
  return copy === null ? findDocumentToChange(c, id) : requireNearby(copy, id, c.var.now)
}

async function requireNearby(copy: NearestCopy, id: string, now: number): Promise<Document> {
  const document = isDocumentId(id) ? await findDocumentNearby(copy, id, now) : null
  if (!document) throw documentNotFound()
  return document
}

/**
 * Returns a document like `findDocumentToRead`, for an answer that is the same for everyone: nobody looks up who asks.
 *
 * @throws AppError `not_found` when there is none.
 */
export async function findDocumentForEveryone(c: AppContext, id: string): Promise<Document> {
  const copy = findNearestCopy(c)
  return copy === null ? requireDocument(c.var.store, id, c.var.now) : requireNearby(copy, id, c.var.now)
}

/**
 * Returns the document that a request may change, without its content: as it is now, which only the primary knows. If
 * the request has a credential, looks it up in the same round trip.
 *
 * @throws AppError `not_found` when there is none.
 */
export async function findDocumentToChange(c: AppContext, id: string): Promise<Document> {
  const { now, store } = c.var
  const { found } = await askAlongside(c, () => requireDocument(store, id, now))
  return found
}
