import { invalidCursor } from '../errors.ts'
import type { DocumentStore } from './document-store.ts'
import type { Document, Viewer } from './model/document.ts'
import { isDocumentId } from './model/ids.ts'
import { toSearchKey } from './model/title.ts'
import { findPage, type Position, positionOf, type Scope, type Sort } from './sql/lists.ts'

/** Longer than any title. */
export const MAX_SEARCH_CHARACTERS = 100

export interface ListedDocuments {
  readonly documents: readonly Document[]
  /** Asks for what follows; null on the last page. */
  readonly cursor: string | null
}

interface ListOptions {
  readonly scope?: Scope
  readonly sort?: Sort
  /** A part of the title, in any case; an empty one finds everything. */
  readonly search?: string | undefined
  /** Of the page before, in the same order; undefined for the first. */
  readonly cursor?: string | undefined
  readonly limit: number
  readonly now: number
}

/** As opaque as a cursor should be: JSON of the order, the key and the id, in base64url. */
function toCursor(sort: Sort, { key, id }: Position): string {
  const json = new TextEncoder().encode(JSON.stringify([sort, key, id]))
  return json.toBase64({ alphabet: 'base64url', omitPadding: true })
}

function fromCursor(cursor: string, sort: Sort): Position {
  const [forSort, key, id] = parseCursor(cursor)
  const isKey = sort === 'title' ? typeof key === 'string' && key.isWellFormed() : Number.isSafeInteger(key)
  if (forSort !== sort || !isKey || typeof id !== 'string' || !isDocumentId(id)) throw invalidCursor()
  return { key: key as Position['key'], id }
}

function parseCursor(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: 'base64url' })),
    )
    return Array.isArray(parts) ? parts : []
  } catch {
    throw invalidCursor()
  }
}

/** Titles have no other white space than single spaces. */
const toSearch = (text: string): string | null => toSearchKey(text).replaceAll(/\s+/g, ' ').trim() || null

/**
 * One page of the documents that an account created, or that it is an editor of, without their content. One
 * query. Without a search, the newest or oldest of one's own cost what the page costs, however many there are;
 * everything else looks at all of them.
 *
 * Whoever goes from page to page comes by each document that is there throughout exactly once, unless what it
 * is sorted by changes meanwhile.
 *
 * @throws AppError `bad_request` for a cursor that no page of this order gave.
 */
export async function listDocuments(
  store: DocumentStore,
  viewer: Viewer,
  { scope = 'created', sort = 'newest', search = '', cursor, limit, now }: ListOptions,
): Promise<ListedDocuments> {
  const after = cursor === undefined ? null : fromCursor(cursor, sort)
  // One more than asked for tells whether another page follows.
  const query = { scope, viewer, sort, search: toSearch(search), after, limit: limit + 1, now }
  const found = await findPage(store.db, query)
  const documents = found.slice(0, limit)
  const last = documents.at(-1)
  return { documents, cursor: found.length > limit && last ? toCursor(sort, positionOf(last, sort)) : null }
}
