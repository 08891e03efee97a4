import { invalidCursor } from '../errors.ts'
import type { Document, Viewer } from './document.ts'
import { findDocumentsOf } from './rows.ts'
import type { DocumentStore } from './store.ts'

/** Where a page begins: after the document that was created at this time and has this id. */
export interface Position {
  readonly createdAt: number
  readonly id: string
}

export interface DocumentPage {
  readonly documents: readonly Document[]
  /** Asks for what follows; null on the last page. */
  readonly cursor: string | null
}

/** Before everything: no document is created later, and no id sorts behind it. */
const START: Position = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

const toCursor = ({ createdAt, id }: Position): string => `${createdAt}-${id}`

function fromCursor(cursor: string): Position {
  const [, createdAt, id] = /^(\d{1,15})-([A-Za-z0-9]{4,36})$/.exec(cursor) ?? []
  if (createdAt === undefined || id === undefined) throw invalidCursor()
  return { createdAt: Number(createdAt), id }
}

/**
 * One page of the documents that an account created, the latest first, without their content. One query,
 * whose cost is that of the page, however many documents there are.
 *
 * @param cursor of the page before; undefined for the first.
 * @throws AppError `bad_request` for a cursor that no page gave.
 */
export async function listDocuments(
  store: DocumentStore,
  creator: Viewer,
  { cursor, limit, now }: { cursor: string | undefined; limit: number; now: number },
): Promise<DocumentPage> {
  const after = cursor === undefined ? START : fromCursor(cursor)
  // One more than asked for tells whether another page follows.
  const found = await findDocumentsOf(store.db, { creator, after, limit: limit + 1, now })
  const documents = found.slice(0, limit)
  const last = documents.at(-1)
  return { documents, cursor: found.length > limit && last ? toCursor(last) : null }
}
