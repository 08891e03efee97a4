import type { Database } from '../../platform/database.ts'
import type { SqlParameter } from '../../platform/statement.ts'
import type { Document, Viewer } from '../model/document.ts'
import { toSearchKey } from '../model/title.ts'
import { DOCUMENTS, type DocumentRow, toDocument } from './document-row.ts'

/** Documents without a title come after all that have one: no character sorts behind this one. */
const UNTITLED = '\u{10FFFF}'

interface Order {
  /** What lists are sorted by, of a document `d`; the id decides between equals. */
  readonly key: string
  readonly keyOf: (document: Document) => string | number
  readonly direction: 'ASC' | 'DESC'
}

/** The orders that a list can have. */
const ORDERS = {
  newest: { key: 'd.created_at', keyOf: (document) => document.createdAt, direction: 'DESC' },
  oldest: { key: 'd.created_at', keyOf: (document) => document.createdAt, direction: 'ASC' },
  expiring: { key: 'd.expires_at', keyOf: (document) => document.expiresAt, direction: 'ASC' },
  largest: { key: 'd.content_bytes', keyOf: (document) => document.contentBytes, direction: 'DESC' },
  // The only one that is in no index: an entry of it would be written with every flush of views.
  viewed: { key: 'd.views', keyOf: (document) => document.views, direction: 'DESC' },
  title: {
    key: `ifnull(d.title_key, '${UNTITLED}')`,
    keyOf: ({ title }) => (title === null ? UNTITLED : toSearchKey(title)),
    direction: 'ASC',
  },
} as const satisfies Record<string, Order>

export type Sort = keyof typeof ORDERS

export const SORTS = Object.keys(ORDERS) as readonly Sort[]

/** A place in an order: that of the document with this key and this id. */
export interface Position {
  readonly key: string | number
  readonly id: string
}

export const positionOf = (document: Document, sort: Sort): Position => ({
  key: ORDERS[sort].keyOf(document),
  id: document.id,
})

/** Whose documents are listed: those that an account created, or those that it is an editor of. */
export type Scope = 'created' | 'shared'

const SCOPES = {
  created: 'd.creator_id = ?1',
  shared: 'd.id IN (SELECT document_id FROM document_editors WHERE user_id = ?1)',
} as const satisfies Record<Scope, string>

interface PageQuery {
  readonly scope: Scope
  readonly viewer: Viewer
  readonly sort: Sort
  /** What the title's key must hold; null for any document. */
  readonly search: string | null
  /** Null begins at the start. */
  readonly after: Position | null
  readonly limit: number
  readonly now: number
}

/**
 * Documents in their order from a position on, without those that have expired. Which ones they are is found
 * by what stands in an index, wherever that is possible; only their own rows are read.
 */
export async function findPage(
  db: Database,
  { scope, viewer, sort, search, after, limit, now }: PageQuery,
): Promise<Document[]> {
  const { key, direction } = ORDERS[sort]
  const parameters: SqlParameter[] = [viewer.id, now, limit]
  const conditions: string[] = [SCOPES[scope], 'd.expires_at > ?2']
  if (search !== null) {
    parameters.push(search)
    // Not LIKE, of which D1 takes patterns of at most 50 bytes.
    conditions.push(`instr(d.title_key, ?${parameters.length}) > 0`)
  }
  // Views stand in the rows alone: the index says whose views are needed, in the order in which the rows lie.
  const chosen = conditions.join(' AND ')
  const found = sort === 'viewed' ? `d.id IN (SELECT d.id FROM documents d WHERE ${chosen})` : chosen
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
