import { invalidCursor } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import type { SqlParameter } from '../shared/statement.ts'

export interface ListPageOptions {
  readonly cursor?: string | undefined
  readonly limit: number
}

export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly cursor: string | null
}

interface ListQuery extends ListPageOptions {
  readonly columns: string
  readonly from: string
  /** A time, and what tells items of the same time apart, as SQL. */
  readonly order: readonly [at: string, id: string]
  /** A condition in SQL, whose first parameter is ?4. */
  readonly where?: string
  readonly parameters?: readonly SqlParameter[]
}

/** The position before the first item: nothing happens later. */
const START = [Number.MAX_SAFE_INTEGER, '']

function parseCursor(cursor: string | undefined): readonly SqlParameter[] {
  if (cursor === undefined) return START
  const [, at, id] = /^(\d{1,15})-(.+)$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw invalidCursor()
  return [Number(at), id]
}

/**
 * Returns a page of a list, the newest items first. Makes one query.
 *
 * @throws AppError `bad_request` for an invalid cursor.
 */
export async function listPage<Item>(
  db: Database,
  { columns, from, order: [at, id], where = 'true', parameters = [], cursor, limit }: ListQuery,
): Promise<ListPage<Item>> {
  const found = await db.all<Item & { readonly position: string }>([
    `SELECT ${columns}, ${at} || '-' || ${id} AS position FROM ${from}
      WHERE (${at}, ${id}) < (?1, ?2) AND ${where} ORDER BY ${at} DESC, ${id} DESC LIMIT ?3`,
    ...parseCursor(cursor),
    // One more than the page has shows that another one follows.
    limit + 1,
    ...parameters,
  ])
  const items = found.slice(0, limit)
  return { items, cursor: found.length > limit ? (items.at(-1)?.position ?? null) : null }
}
