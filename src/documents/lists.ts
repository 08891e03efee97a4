import { invalidCursor } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import type { SqlParameter } from '../shared/statement.ts'
import {
  type Account,
  DOCUMENTS,
  type Document,
  type DocumentRow,
  isDocumentId,
  toDocument,
  toSearchKey,
} from './document.ts'
import type { DocumentStore } from './document-store.ts'

export interface Position<Key extends string | number = string | number> {
  readonly key: Key
  readonly id: string
}

/** Base64url of JSON. */
export function encodeCursor(order: string, { key, id }: Position): string {
  const json = new TextEncoder().encode(JSON.stringify([order, key, id]))
  return json.toBase64({ alphabet: 'base64url', omitPadding: true })
}

function decodeCursor(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: 'base64url' })),
    )
    return Array.isArray(parts) ? parts : []
  } catch {
    throw invalidCursor()
  }
}

/** @throws AppError `bad_request` for a cursor that isn't from a list in this order. */
export function parseCursor<Key extends string | number>(
  cursor: string,
  order: string,
  isKey: (candidate: unknown) => candidate is Key,
): Position<Key> {
  const [forOrder, key, id] = decodeCursor(cursor)
  if (forOrder !== order || !isKey(key) || typeof id !== 'string' || !isDocumentId(id)) throw invalidCursor()
  return { key, id }
}

export const isIntegerKey = (candidate: unknown): candidate is number => Number.isSafeInteger(candidate)

/** Titles contain only single spaces, so a search must too. */
export const toSearch = (text: string): string | null =>
  toSearchKey(text).replaceAll(/\s+/g, ' ').trim() || null

/** Sorts documents without a title last: no character sorts after this one. */
const UNTITLED = '\u{10FFFF}'

interface Order {
  /** SQL for documents `d`. */
  readonly key: string
  readonly getKey: (document: Document) => string | number
  readonly direction: 'ASC' | 'DESC'
}

const ORDERS = {
  newest: { key: 'd.created_at', getKey: (document) => document.createdAt, direction: 'DESC' },
  oldest: { key: 'd.created_at', getKey: (document) => document.createdAt, direction: 'ASC' },
  expiring: { key: 'd.expires_at', getKey: (document) => document.expiresAt, direction: 'ASC' },
  largest: { key: 'd.content_bytes', getKey: (document) => document.contentBytes, direction: 'DESC' },
  // In no index, because every flush of views would have to update it.
  viewed: { key: 'd.views', getKey: (document) => document.views, direction: 'DESC' },
  title: {
    key: `ifnull(d.title_key, '${UNTITLED}')`,
    getKey: ({ title }) => (title === null ? UNTITLED : toSearchKey(title)),
    direction: 'ASC',
  },
} as const satisfies Record<string, Order>

export type Sort = keyof typeof ORDERS

export const SORTS = Object.keys(ORDERS) as readonly Sort[]

export type Scope = 'created' | 'shared'

const SCOPES = {
  created: 'd.creator_id = ?1',
  // Documents of suspended accounts are hidden from their editors, too.
  shared: `d.id IN (SELECT document_id FROM document_editors WHERE user_id = ?1)
    AND NOT EXISTS (SELECT 1 FROM users WHERE id = d.creator_id AND suspended_at IS NOT NULL)`,
} as const satisfies Record<Scope, string>

interface PageQuery {
  readonly scope: Scope
  readonly viewer: Account
  readonly sort: Sort
  readonly search: string | null
  readonly after: Position | null
  readonly limit: number
  readonly now: Instant
}

/** Reads only the documents' own rows, through an index wherever possible. */
export async function findPage(
  db: Database,
  { scope, viewer, sort, search, after, limit, now }: PageQuery,
): Promise<Document[]> {
  const { key, direction } = ORDERS[sort]
  const parameters: SqlParameter[] = [viewer.id, now, limit]
  const conditions: string[] = [SCOPES[scope], 'd.expires_at > ?2']
  if (search !== null) {
    parameters.push(search)
    // Not LIKE: D1 limits its patterns to 50 bytes.
    conditions.push(`instr(d.title_key, ?${parameters.length}) > 0`)
  }
  // Views are in no index. The inner query uses the index to find the rows to read, in the order of storage.
  const matches = conditions.join(' AND ')
  const found = sort === 'viewed' ? `d.id IN (SELECT d.id FROM documents d WHERE ${matches})` : matches
  let place = ''
  if (after) {
    parameters.push(after.key, after.id)
    const comparison = direction === 'ASC' ? '>' : '<'
    place = `AND (${key}, d.id) ${comparison} (?${parameters.length - 1}, ?${parameters.length})`
  }
  const order = `ORDER BY ${key} ${direction}, d.id ${direction}`
  const rows = await db.all<DocumentRow>([
    `${DOCUMENTS} WHERE d.id IN (
        SELECT d.id FROM documents d WHERE ${found} ${place} ${order} LIMIT ?3)
      ${order}`,
    ...parameters,
  ])
  return rows.map(toDocument)
}

/** Longer than any title. */
export const MAX_SEARCH_CHARACTERS = 100

export interface ListedDocuments {
  readonly documents: readonly Document[]
  /** Null on the last page. */
  readonly cursor: string | null
}

interface ListOptions {
  readonly scope?: Scope
  readonly sort?: Sort
  readonly search?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
  readonly now: Instant
}

const isTextKey = (candidate: unknown): candidate is string =>
  typeof candidate === 'string' && candidate.isWellFormed()

const parsePosition = (cursor: string, sort: Sort): Position =>
  sort === 'title' ? parseCursor(cursor, sort, isTextKey) : parseCursor(cursor, sort, isIntegerKey)

/**
 * One query. A page of the newest or oldest created documents costs the same however many there are; a search and all
 * other sort orders scan all of them. Paging returns every document that exists throughout exactly once, unless its sort key changes
 * meanwhile.
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
    cursor:
      found.length > limit && last
        ? encodeCursor(sort, { key: ORDERS[sort].getKey(last), id: last.id })
        : null,
  }
}
