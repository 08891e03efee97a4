import { invalidCursor } from '../errors.ts'

/** Where a page begins: after what happened at this time and has this id. */
interface Position {
  readonly at: number
  readonly id: string
}

/** Before everything: nothing happens later. */
const START: Position = { at: Number.MAX_SAFE_INTEGER, id: '' }

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Asks for what follows; null on the last page. */
  readonly cursor: string | null
}

/** Throws AppError `bad_request` for a cursor that no page gave. */
export function fromCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return START
  const [, at, id] = /^(\d{1,15})-([\w-]{4,36})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw invalidCursor()
  return { at: Number(at), id }
}

/** A page of what was found, which is one more than asked for where another page follows. */
export function toPage<Item>(
  found: readonly Item[],
  limit: number,
  positionOf: (item: Item) => Position,
): Page<Item> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  if (found.length <= limit || last === undefined) return { items, cursor: null }
  const { at, id } = positionOf(last)
  return { items, cursor: `${at}-${id}` }
}
