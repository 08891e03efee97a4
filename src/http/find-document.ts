import type { Document } from '../documents/model/document.ts'
import { isDocumentId } from '../documents/model/ids.ts'
import { requireDocument } from '../documents/read.ts'
import { RecentDocuments } from '../documents/recent-documents.ts'
import { findDocumentNearby } from '../documents/sql/document-statements.ts'
import type { AppContext } from '../env.ts'
import { documentNotFound } from '../errors.ts'
import type { NearestCopy } from '../platform/nearest-copy.ts'
import { readBookmark } from './bookmark.ts'
import { askAlongside } from './identity/ask-alongside.ts'
import { findNearestCopy } from './nearest-copy.ts'

/** What each database's readers have read, by the bindings. */
const recentDocuments = new WeakMap<object, RecentDocuments>()

function getRecentDocuments(env: Env): RecentDocuments {
  const recent = recentDocuments.get(env) ?? new RecentDocuments()
  recentDocuments.set(env, recent)
  return recent
}

/**
 * Returns the document that a request reads, without its content.
 *
 * It may be from a copy of the database that is a moment behind, or from a read less than a second ago, unless it burns after reading or the request has a
 * credential: creators and editors see their changes at once.
 *
 * @throws AppError `not_found` when there is none.
 */
export async function findDocumentToRead(c: AppContext, id: string): Promise<Document> {
  const copy = findNearestCopy(c)
  return copy === null ? findDocumentToChange(c, id) : requireNearby(c, copy, id)
}

async function requireNearby(c: AppContext, copy: NearestCopy, id: string): Promise<Document> {
  const { now } = c.var
  if (!isDocumentId(id)) throw documentNotFound()
  const find = () => findDocumentNearby(copy, id, now)
  // A bookmark asks for what somebody has just changed.
  const recent = readBookmark(c) === null ? getRecentDocuments(c.env) : null
  const document = recent?.find(id, now) ?? (await (recent ? recent.remember(find, Date.now()) : find()))
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
  return copy === null ? requireDocument(c.var.store, id, c.var.now) : requireNearby(c, copy, id)
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
