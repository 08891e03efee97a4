import type { DocumentStore } from './document-store.ts'
import { encodeCursor, isIntegerKey, type Position, parseCursor, toSearch } from './list-cursor.ts'
import type { Account, Document } from './model/document.ts'
import { findPage, getPosition, type Scope, type Sort } from './sql/lists.ts'

/** Longer than any title. */
export const MAX_SEARCH_CHARACTERS = 100

export interface ListedDocuments {
  readonly documents: readonly Document[]
  /** Requests the next page; null on the last. */
  readonly cursor: string | null
}

interface ListOptions {
  readonly scope?: Scope
  readonly sort?: Sort
  /** Part of the title, in any case; empty for all documents. */
  readonly search?: string | undefined
  /** From the previous page, with the same sort order; undefined for the first page. */
  readonly cursor?: string | undefined
  readonly limit: number
  readonly now: number
}

const isTextKey = (candidate: unknown): candidate is string =>
  typeof candidate === 'string' && candidate.isWellFormed()

const parsePosition = (cursor: string, sort: Sort): Position =>
  sort === 'title' ? parseCursor(cursor, sort, isTextKey) : parseCursor(cursor, sort, isIntegerKey)

/**
 * Returns a page of the documents that an account created or can edit, without their content. One query. A page of
 * the newest or oldest created documents costs the same however many there are; a search and all other sort orders
 * scan all of them.
 *
 * Paging returns every document that exists throughout exactly once, unless its sort key changes meanwhile.
 *
 * @throws AppError `bad_request` for a cursor that isn't from a page in this sort order.
 */
export async function listDocuments(
  store: DocumentStore,
  viewer: Account,
  { scope = 'created', sort = 'newest', search = '', cursor, limit, now }: ListOptions,
): Promise<ListedDocuments> {
  const after = cursor === undefined ? null : parsePosition(cursor, sort)
  // One document more than requested shows whether another page follows.
  const query = { scope, viewer, sort, search: toSearch(search), after, limit: limit + 1, now }
  const found = await findPage(store.db, query)
  const documents = found.slice(0, limit)
  const last = documents.at(-1)
  return {
    documents,
    cursor: found.length > limit && last ? encodeCursor(sort, getPosition(last, sort)) : null,
  }
}
