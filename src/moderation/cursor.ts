import { invalidCursor } from '../errors.ts'

/** The last item of the previous page: when it happened, and its id. */
interface Position {
  readonly at: number
  readonly id: string
}

/** Before the first item: nothing happens later. */
const START: Position = { at: Number.MAX_SAFE_INTEGER, id: '' }

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Cursor of the next page; null on the last page. */
  readonly cursor: string | null
}

/** Parses a cursor. Throws AppError `bad_request` if it is invalid. */
export function parseCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return START
  const [, at, id] = /^(\d{1,15})-([\w-]{4,36})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw invalidCursor()
  return { at: Number(at), id }
}

/**
 * Returns a page of items.
 *
 * @param found up to `limit + 1` items: the extra one shows that another page follows.
 */
export function toPage<Item>(
  found: readonly Item[],
  limit: number,
  getPosition: (item: Item) => Position,
): Page<Item> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  if (found.length <= limit || last === undefined) return { items, cursor: null }
  const { at, id } = getPosition(last)
  return { items, cursor: `${at}-${id}` }
}
