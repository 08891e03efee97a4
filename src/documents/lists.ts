import { invalidCursor } from '../errors.ts'
import { mapQuery, type Query, query } from '../platform/database.ts'
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
function encodeCursor(order: string, { key, id }: Position): string {
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

const KEYS = {
  created: { key: 'd.created_at', getKey: (document) => document.createdAt },
  expires: { key: 'd.expires_at', getKey: (document) => document.expiresAt },
  size: { key: 'd.content_bytes', getKey: (document) => document.contentBytes },
  // In no index, because every flush of views would have to update it.
  views: { key: 'd.views', getKey: (document) => document.views },
  title: {
    key: `ifnull(d.title_key, '${UNTITLED}')`,
    getKey: ({ title }) => (title === null ? UNTITLED : toSearchKey(title)),
  },
} as const satisfies Record<string, Omit<Order, 'direction'>>

const ORDERS = {
  newest: { ...KEYS.created, direction: 'DESC' },
  oldest: { ...KEYS.created, direction: 'ASC' },
  expiring: { ...KEYS.expires, direction: 'ASC' },
  'expiring-last': { ...KEYS.expires, direction: 'DESC' },
  largest: { ...KEYS.size, direction: 'DESC' },
  smallest: { ...KEYS.size, direction: 'ASC' },
  viewed: { ...KEYS.views, direction: 'DESC' },
  'viewed-least': { ...KEYS.views, direction: 'ASC' },
  title: { ...KEYS.title, direction: 'ASC' },
  'title-reversed': { ...KEYS.title, direction: 'DESC' },
} as const satisfies Record<string, Order>

export type Sort = keyof typeof ORDERS

export const SORTS = Object.keys(ORDERS) as readonly Sort[]

export const isAscending = (sort: Sort): boolean => ORDERS[sort].direction === 'ASC'

export type Scope = 'created' | 'shared'

const SCOPES = {
  created: 'd.creator_id = ?1',
  // Documents of suspended accounts are hidden from their editors, too.
  shared: `d.id IN (SELECT document_id FROM document_editors WHERE user_id = ?1)
    AND NOT EXISTS (SELECT 1 FROM users WHERE id = d.creator_id AND suspended_at IS NOT NULL)`,
} as const satisfies Record<Scope, string>

interface Selection {
  readonly scope: Scope
  readonly viewer: Account
  readonly search: string | null
  readonly now: Instant
}

interface PageQuery extends Selection {
  readonly sort: Sort
  readonly after: Position | null
  readonly limit: number
}

/** The condition in SQL, and its parameters. */
function select({ scope, viewer, search, now }: Selection): [condition: string, parameters: SqlParameter[]] {
  const matches = `${SCOPES[scope]} AND d.expires_at > ?2`
  // Not LIKE: D1 limits its patterns to 50 bytes.
  return search === null
    ? [matches, [viewer.id, now]]
    : [`${matches} AND instr(d.title_key, ?3) > 0`, [viewer.id, now, search]]
}

interface Page {
  /** What to read in SQL, from a table on, and its parameters. */
  readonly from: string
  readonly parameters: readonly SqlParameter[]
  readonly key: string
  readonly direction: Order['direction']
  readonly after: Position | null
  readonly limit: number
}

/** Reads only the documents' own rows, through an index wherever possible. */
export function pageOf({ from, parameters, key, direction, after, limit }: Page): Query<Document[]> {
  const all = [...parameters]
  const add = (parameter: SqlParameter): string => `?${all.push(parameter)}`
  const comparison = direction === 'ASC' ? '>' : '<'
  const place = after ? `AND (${key}, d.id) ${comparison} (${add(after.key)}, ${add(after.id)})` : ''
  const order = `ORDER BY ${key} ${direction}, d.id ${direction}`
  return query(
    [
      `${DOCUMENTS} WHERE d.id IN (SELECT d.id FROM ${from} ${place} ${order} LIMIT ${add(limit)}) ${order}`,
      ...all,
    ],
    (rows: DocumentRow[]) => rows.map(toDocument),
  )
}

export function pageOfDocuments({ sort, after, limit, ...selection }: PageQuery): Query<Document[]> {
  const { key, direction } = ORDERS[sort]
  const [matches, parameters] = select(selection)
  // Views are in no index. The inner query uses the index to find the rows to read, in the order of storage.
  const found = key === KEYS.views.key ? `d.id IN (SELECT d.id FROM documents d WHERE ${matches})` : matches
  return pageOf({ from: `documents d WHERE ${found}`, parameters, key, direction, after, limit })
}

/** Pages say “1,000+” for more: counting takes time for each document. */
export const MAX_COUNTED = 1_000

/** @param from what to count, in SQL that starts with a table. At most one more than `MAX_COUNTED` are counted. */
export const countUpTo = (from: string, parameters: readonly SqlParameter[]): Query<number> =>
  query(
    [`SELECT count(*) AS total FROM (SELECT 1 FROM ${from} LIMIT ${MAX_COUNTED + 1})`, ...parameters],
    ([row]: { total: number }[]) => row?.total ?? 0,
  )

/** Longer than any title. */
export const MAX_SEARCH_CHARACTERS = 100

export type ListedDocuments = ReturnType<typeof toList>

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
  ORDERS[sort].key === KEYS.title.key
    ? parseCursor(cursor, sort, isTextKey)
    : parseCursor(cursor, sort, isIntegerKey)

/**
 * A page of the newest or oldest created documents costs the same however many there are; a search and all
 * other sort orders scan all of them. Paging returns every document that exists throughout exactly once, unless its sort key changes
 * meanwhile.
 *
 * @throws AppError `bad_request` for a cursor that isn't from a page in this sort order.
 */
export function documentsOf(
  viewer: Account,
  { scope = 'created', sort = 'newest', search = '', cursor, limit, now }: ListOptions,
): Query<ListedDocuments> {
  const after = cursor === undefined ? null : parsePosition(cursor, sort)
  // One document more than requested shows whether another page follows.
  const page = { scope, viewer, sort, search: toSearch(search), after, limit: limit + 1, now }
  return mapQuery(pageOfDocuments(page), (found) => toList(found, limit, sort, ORDERS[sort].getKey))
}

/** As many as `MAX_COUNTED` and one more, which stands for all others. */
export function totalOf(
  viewer: Account,
  { scope = 'created', search = '', now }: Pick<ListOptions, 'scope' | 'search' | 'now'>,
): Query<number> {
  const [matches, parameters] = select({ scope, viewer, search: toSearch(search), now })
  return countUpTo(`documents d WHERE ${matches}`, parameters)
}

/** The cursor is null on the last page. @param found up to `limit + 1` documents. */
export function toList(
  found: readonly Document[],
  limit: number,
  order: string,
  getKey: (document: Document) => string | number,
) {
  const documents = found.slice(0, limit)
  const last = documents.at(-1)
  const cursor = found.length > limit && last ? encodeCursor(order, { key: getKey(last), id: last.id }) : null
  return { documents, cursor }
}

/** One query. */
export async function listDocuments(
  { db }: Pick<DocumentStore, 'db'>,
  viewer: Account,
  options: ListOptions,
): Promise<ListedDocuments> {
  const [list] = await db.ask(documentsOf(viewer, options))
  return list
}
