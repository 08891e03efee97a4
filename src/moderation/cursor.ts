import { invalidCursor } from '../errors.ts'

interface Position {
  readonly at: number
  readonly id: string
}

/** Before the first item: nothing happens later. */
const START: Position = { at: Number.MAX_SAFE_INTEGER, id: '' }

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly cursor: string | null
}

/** Throws AppError `bad_request` for an invalid cursor. */
export function parsePosition(cursor: string | undefined): Position {
  if (cursor === undefined) return START
  const [, at, id] = /^(\d{1,15})-([\w-]{4,36})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw invalidCursor()
  return { at: Number(at), id }
}

export const formatPosition = ({ at, id }: Position): string => `${at}-${id}`

/** @param found up to `limit + 1` items: the extra one shows that another page follows. */
export function toPage<Item>(
  found: readonly Item[],
  limit: number,
  getCursor: (item: Item) => string,
): Page<Item> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, cursor: found.length > limit && last !== undefined ? getCursor(last) : null }
}
