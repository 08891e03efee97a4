import type { Database } from '../../platform/database.ts'
import type { SqlParameter } from '../../platform/statement.ts'
import type { Position } from '../list-cursor.ts'
import type { Account, Document } from '../model/document.ts'
import { toSearchKey } from '../model/title.ts'
import { DOCUMENTS, type DocumentRow, toDocument } from './document-row.ts'

/** Sorts documents without a title last: no character sorts after this one. */
const UNTITLED = '\u{10FFFF}'

interface Order {
  /** The SQL expression to sort documents `d` by. The id breaks ties. */
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

export const getPosition = (document: Document, sort: Sort): Position => ({
  key: ORDERS[sort].getKey(document),
  id: document.id,
})

/** Which documents to list: those that the account created, or those that it's an editor of. */
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
  /** What the title's search key must contain; null for all documents. */
  readonly search: string | null
  /** Null for the first page. */
  readonly after: Position | null
  readonly limit: number
  readonly now: number
}

/**
 * Returns the documents after a position in a sort order, except expired ones. The query finds them through an index
 * wherever possible, and reads only their rows.
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
