import * as base64url from 'jose/base64url'
import { invalidCursor } from '../errors.ts'
import { combine, mapQuery, type Query, query, type Reads } from '../platform/database.ts'
import { isDocumentId } from '../shared/document-ids.ts'
import type { Instant } from '../shared/instant.ts'
import { MAX_EDITORS } from '../shared/settings.ts'
import type { SqlParameter } from '../shared/statement.ts'
import {
  type Account,
  type DocumentSummary,
  type NamedAccount,
  SUMMARY_COLUMNS,
  type SummaryRow,
  toSearchKey,
  toSummary,
} from './document.ts'
import type { DocumentStore } from './document-store.ts'

interface Position<Key extends string | number = string | number> {
  readonly key: Key
  readonly id: string
}

/** Returns the cursor for a position: JSON in base64url. */
function encodeCursor(order: string, { key, id }: Position): string {
  return base64url.encode(JSON.stringify([order, key, id]))
}

function decodeCursor(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(cursor)))
    return Array.isArray(parts) ? parts : []
  } catch {
    throw invalidCursor()
  }
}

/** @throws AppError `bad_request` for a cursor that isn't from a list in this order. */
function parseCursor(
  cursor: string | undefined,
  order: string,
  isKey: (candidate: unknown) => boolean,
): Position | null {
  if (cursor === undefined) return null
  const [forOrder, key, id] = decodeCursor(cursor)
  if (forOrder !== order || !isKey(key) || typeof id !== 'string' || !isDocumentId(id)) throw invalidCursor()
  return { key: key as string | number, id }
}

/** Titles contain only single spaces, so a search must too. */
export const toSearch = (text: string): string | null =>
  toSearchKey(text).replaceAll(/\s+/g, ' ').trim() || null

/** The length of the longest search, which is longer than any title. */
export const MAX_SEARCH_CHARACTERS = 100

export type ListedDocument = DocumentSummary & { readonly hasEditors: boolean }

export interface ListedDocuments {
  readonly documents: readonly ListedDocument[]
  /** Is null on the last page. A page with a cursor may have few documents, or none. */
  readonly cursor: string | null
  /** How many documents the page looked at, if there were more than it may look at. */
  readonly lookedAt: number | null
  /** The page after this document starts here. */
  readonly getCursor: (last: DocumentSummary) => string
}

/** A list finds its documents in the order of an index, newest or oldest first. */
export interface Source {
  /** An SQL table expression that names the documents `d`. */
  readonly from: string
  /** An equality for each column of the index before the time and the id. */
  readonly where: string
  readonly parameters: readonly SqlParameter[]
  /** The time and the id, as the index has them. */
  readonly order: readonly [createdAt: string, id: string]
  /** Rows that D1 reads for each document. */
  readonly rows: 1 | 2
}

type Direction = 'ASC' | 'DESC'

/**
 * D1 bills every row that it reads, and anyone can ask for a list. So a page looks at a limited number of documents in the
 * order of an index, whether they match or not, and the next page goes on from there. Together with the creators, a page
 * takes about 200 rows at most, and a search or another order 2,000. Expired documents are in the index until cleanup deletes
 * them.
 */
const MAX_LOOKED_AT = { page: 70, search: 900, sort: 600 } as const

const getReach = ({ rows }: Source, kind: keyof typeof MAX_LOOKED_AT): number => MAX_LOOKED_AT[kind] / rows

/** Bounds a request of up to 100 documents, which takes 200 rows if all of them match. */
const getPageReach = (source: Source, limit: number): number =>
  source.rows === 1 ? Math.max(getReach(source, 'page'), limit) : getReach(source, 'page')

interface Row extends SummaryRow {
  readonly hasEditors: number
  readonly isEnd: number
  /** Is 1 unless the creator is suspended or is deleting the account. */
  readonly isShown: number
}

const toListed = ({ hasEditors, isEnd, isShown, ...row }: Row): ListedDocument => ({
  ...toSummary(row),
  hasEditors: hasEditors === 1,
})

/** Numbers parameters in the order in which they're added. */
class Parameters {
  readonly all: SqlParameter[]

  constructor(first: readonly SqlParameter[]) {
    this.all = [...first]
  }

  add(parameter: SqlParameter): string {
    return `?${this.all.push(parameter)}`
  }
}

/** The SQL for documents in the order of the index, from the end of the page before on. */
function walk(
  { from, where, order: [at, id] }: Source,
  direction: Direction,
  after: Position | null,
  parameters: Parameters,
): (columns: string, limit: string) => string {
  const comparison = direction === 'ASC' ? '>' : '<'
  const start = after
    ? `AND (${at}, ${id}) ${comparison} (${parameters.add(after.key)}, ${parameters.add(after.id)})`
    : ''
  return (columns, limit) =>
    `SELECT ${columns} FROM ${from} WHERE ${where} ${start} ORDER BY ${at} ${direction}, ${id} ${direction} LIMIT ${limit}`
}

interface Filter {
  readonly search: string | null
  readonly now: Instant
}

// Not LIKE: D1 limits its patterns to 50 bytes.
const matches = ({ search, now }: Filter, parameters: Parameters): string =>
  `d.expires_at > ${parameters.add(now)}${search === null ? '' : ` AND instr(d.title_key, ${parameters.add(search)}) > 0`}`

/** Adds the creators, in the order of the subquery. */
const select = (documents: string): string =>
  `SELECT ${SUMMARY_COLUMNS}, d.has_editors AS hasEditors, d.isEnd,
      u.suspended_at IS NULL AND u.leaving IS NULL AS isShown
    FROM (${documents}) d LEFT JOIN users u ON u.id = d.creator_id`

interface TimePage extends Filter {
  readonly source: Source
  readonly order: string
  readonly direction: Direction
  readonly cursor: string | undefined
  readonly limit: number
}

/**
 * Returns a page of documents, the newest or the oldest first.
 *
 * @throws AppError `bad_request` for a cursor that isn't from a list in this order.
 */
export function pageByTime({
  source,
  order,
  direction,
  cursor,
  limit,
  ...filter
}: TimePage): Query<ListedDocuments> {
  const reach = filter.search === null ? getPageReach(source, limit) : getReach(source, 'search')
  // One document more than requested shows whether another page follows.
  const rows = Math.min(limit + 1, reach)
  const parameters = new Parameters(source.parameters)
  const from = walk(source, direction, parseCursor(cursor, order, Number.isSafeInteger), parameters)
  // SQLite only looks for the last document within reach if the page isn't full before.
  const sql = select(`
    SELECT * FROM (${from('d.*, 0 AS isEnd', String(reach))}) d WHERE ${matches(filter, parameters)}
    UNION ALL SELECT * FROM (${from('d.*, 1 AS isEnd', `1 OFFSET ${reach - 1}`)})
    LIMIT ${rows}`)
  return query([sql, ...parameters.all], (found: Row[]) => {
    const end = found.find(({ isEnd }) => isEnd === 1)
    const page = found.filter(({ isEnd }) => isEnd === 0).slice(0, limit)
    const next = end ?? (found.length === rows ? page.at(-1) : undefined)
    const getCursor = ({ createdAt, id }: { createdAt: Instant; id: string }) =>
      encodeCursor(order, { key: createdAt, id })
    return {
      documents: page.filter(({ isShown }) => isShown === 1).map(toListed),
      cursor: next ? getCursor(next) : null,
      lookedAt: end ? reach : null,
      getCursor,
    }
  })
}

/** Sorts documents without a title last: no character sorts after this one. */
const UNTITLED = '\u{10FFFF}'

interface Order {
  /** An SQL expression for the documents `d`. */
  readonly key: string
  readonly getKey: (document: DocumentSummary) => string | number
  readonly direction: Direction
}

const KEYS = {
  created: { key: 'd.created_at', getKey: (document) => document.createdAt },
  expires: { key: 'd.expires_at', getKey: (document) => document.expiresAt },
  size: { key: 'd.content_bytes', getKey: (document) => document.contentBytes },
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

const isTextKey = (candidate: unknown): boolean => typeof candidate === 'string' && candidate.isWellFormed()

interface SortedPage extends Filter {
  readonly source: Source
  readonly sort: Sort
  readonly cursor: string | undefined
  readonly limit: number
}

/** Sorts the newest documents in an order that no index has: one for each would make every create and edit dearer. */
function pageOfSorted({ source, sort, cursor, limit, ...filter }: SortedPage): Query<ListedDocuments> {
  const { key, getKey, direction } = ORDERS[sort]
  const after = parseCursor(cursor, sort, key === KEYS.title.key ? isTextKey : Number.isSafeInteger)
  const reach = getReach(source, 'sort')
  const parameters = new Parameters(source.parameters)
  const newest = walk(source, 'DESC', null, parameters)
  const comparison = direction === 'ASC' ? '>' : '<'
  const start = after
    ? `AND (${key}, d.id) ${comparison} (${parameters.add(after.key)}, ${parameters.add(after.id)})`
    : ''
  const sql = select(`
    SELECT * FROM (${newest('d.*, 0 AS isEnd', String(reach))}) d WHERE ${matches(filter, parameters)} ${start}
    ORDER BY ${key} ${direction}, d.id ${direction} LIMIT ${limit + 1}`)
  const page = query([sql, ...parameters.all], (found: Row[]) => found)
  const others = query(
    [
      `SELECT 1 FROM (${walk(source, 'DESC', null, new Parameters([]))(source.order[1], `1 OFFSET ${reach}`)})`,
      ...source.parameters,
    ],
    (rows: unknown[]) => rows.length > 0,
  )
  return mapQuery(combine(page, others), ([found, hasOthers]) => {
    const shown = found.slice(0, limit)
    const documents = shown.map(toListed)
    const last = documents.at(-1)
    const getCursor = (document: DocumentSummary) =>
      encodeCursor(sort, { key: getKey(document), id: document.id })
    return {
      documents: documents.filter((_, index) => shown[index]?.isShown === 1),
      cursor: found.length > limit && last ? getCursor(last) : null,
      lookedAt: hasOthers ? reach : null,
      getCursor,
    }
  })
}

export type Scope = 'created' | 'shared'

const getSource = (scope: Scope, viewer: Account): Source =>
  scope === 'created'
    ? {
        from: 'documents d INDEXED BY documents_by_account',
        where: 'd.creator_id = ?1',
        parameters: [viewer.id],
        order: ['d.created_at', 'd.id'],
        rows: 1,
      }
    : {
        from: 'document_editors e INDEXED BY document_editors_by_user CROSS JOIN documents d ON d.id = e.document_id',
        where: 'e.user_id = ?1',
        parameters: [viewer.id],
        order: ['e.created_at', 'e.document_id'],
        rows: 2,
      }

interface ListOptions {
  readonly scope?: Scope
  readonly sort?: Sort
  readonly search?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
  readonly now: Instant
}

/**
 * Documents of suspended accounts are hidden from their editors, too. The newest and the oldest first: paging returns every
 * document that exists throughout exactly once. The other orders sort the newest documents alone, and return each once unless
 * its sort key changes meanwhile.
 *
 * @throws AppError `bad_request` for a cursor that isn't from a page in this sort order.
 */
export function selectDocuments(
  viewer: Account,
  { scope = 'created', sort = 'newest', search = '', ...options }: ListOptions,
): Query<ListedDocuments> {
  const list = {
    ...options,
    source: getSource(scope, viewer),
    search: toSearch(search),
    cursor: options.cursor,
  }
  const { key, direction } = ORDERS[sort]
  if (key !== KEYS.created.key) return pageOfSorted({ ...list, sort })
  return pageByTime({ ...list, order: sort, direction })
}

/** Counts the documents that the account has created, with those that have just expired. */
export const selectDocumentCount = (viewer: Account): Query<number> =>
  query(
    ['SELECT documents FROM usage WHERE account_id = ?1', viewer.id],
    ([row]: { documents: number }[]) => row?.documents ?? 0,
  )

/** Lists documents with one query. */
export async function listDocuments(
  { db }: Pick<DocumentStore, 'db'>,
  viewer: Account,
  options: ListOptions,
): Promise<ListedDocuments> {
  const [list] = await db.ask(selectDocuments(viewer, options))
  return list
}

/** D1 bills two rows for each editor. A page always has room for those of one document. */
const MAX_LISTED_EDITORS = MAX_EDITORS + 20

interface EditorRow extends NamedAccount {
  readonly document: string
}

/** Returns the editors of each document that were read, in the order in which its creator listed them. */
const selectEditors = (documents: readonly ListedDocument[], limit: number): Query<EditorRow[]> =>
  query(
    [
      `SELECT e.document_id AS document, e.user_id AS id, u.username
        FROM json_each(?1) i CROSS JOIN document_editors e ON e.document_id = i.value
          CROSS JOIN users u ON u.id = e.user_id
        LIMIT ?2`,
      JSON.stringify(documents.flatMap(({ id, hasEditors }) => (hasEditors ? [id] : []))),
      limit,
    ],
    (rows: EditorRow[]) => rows,
  )

export interface PageWithEditors extends Pick<ListedDocuments, 'documents' | 'cursor'> {
  /** The editors of each document, by its id. */
  readonly editors: ReadonlyMap<string, readonly NamedAccount[]>
}

/** Ends a page early if its documents have very many editors. Most documents have none, so most lists are one query. */
export async function addEditors(
  reads: Reads,
  { documents, cursor, getCursor }: ListedDocuments,
  maxEditors = MAX_LISTED_EDITORS,
): Promise<PageWithEditors> {
  if (!documents.some(({ hasEditors }) => hasEditors)) return { documents, cursor, editors: new Map() }
  const [rows] = await reads.ask(selectEditors(documents, maxEditors + 1))
  const editors = Map.groupBy(rows, ({ document }) => document)
  if (rows.length <= maxEditors) return { documents, cursor, editors }
  // The last one read may have more.
  const end = documents.findIndex(({ id }) => id === rows.at(-1)?.document)
  const page = documents.slice(0, end)
  const last = page.at(-1)
  return { documents: page, cursor: last ? getCursor(last) : cursor, editors }
}
