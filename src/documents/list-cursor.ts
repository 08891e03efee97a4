import { invalidCursor } from '../errors.ts'
import { isDocumentId } from './model/ids.ts'
import { toSearchKey } from './model/title.ts'

/** The position of a document in an order. The id breaks ties. */
export interface Position<Key extends string | number = string | number> {
  readonly key: Key
  readonly id: string
}

/** Returns an opaque cursor: JSON of the order's name, the key and the id, in base64url. */
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

/**
 * Returns the position in a cursor.
 *
 * @param isKey returns true for a value that the order has as a key.
 * @throws AppError `bad_request` for a cursor that isn't from a list in this order.
 */
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

/** Returns what a title must contain; null for all. Titles contain only single spaces, so a search must too. */
export const toSearch = (text: string): string | null =>
  toSearchKey(text).replaceAll(/\s+/g, ' ').trim() || null
