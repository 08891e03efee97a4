import type { DatabaseReads } from '../platform/database.ts'
import type { ListedDocuments } from './list.ts'
import { encodeCursor, isIntegerKey, parseCursor, toSearch } from './list-cursor.ts'
import { findPublicLanguages, findPublicPage } from './sql/public-lists.ts'

/** The order in a cursor, so that the lists of an account don't take it. */
const ORDER = 'public'

interface PublicListOptions {
  /** The name of a language as documents store it; in any letter case; empty for all. */
  readonly language?: string | undefined
  /** The username of the creator, in any letter case. */
  readonly author?: string | undefined
  /** Part of the title, in any case; empty for all documents. */
  readonly search?: string | undefined
  /** From the previous page; undefined for the first. */
  readonly cursor?: string | undefined
  readonly limit: number
  readonly now: number
}

/**
 * Returns a page of the public documents, newest first, without their content. One query, which costs the same however
 * many documents there are; a search looks at the 100,000 newest.
 *
 * It never returns documents that are encrypted, burn after reading or have expired, nor those of accounts that are
 * suspended or deleted. Paging returns every document that stays public exactly once.
 *
 * @throws AppError `bad_request` for a cursor that isn't from this list.
 */
export async function listPublicDocuments(
  db: DatabaseReads,
  { language = '', author, search = '', cursor, limit, now }: PublicListOptions,
): Promise<ListedDocuments> {
  const found = await findPublicPage(db, {
    language: language.toLowerCase() || null,
    author: author ?? null,
    search: toSearch(search),
    after: cursor === undefined ? null : parseCursor(cursor, ORDER, isIntegerKey),
    // One document more than requested shows whether another page follows.
    limit: limit + 1,
    now,
  })
  const documents = found.slice(0, limit)
  const last = documents.at(-1)
  const next = found.length > limit && last ? { key: last.createdAt, id: last.id } : null
  return { documents, cursor: next && encodeCursor(ORDER, next) }
}

/** Returns those of some languages that public documents have. */
export const listPublicLanguages = (
  db: DatabaseReads,
  languages: readonly string[],
  now: number,
): Promise<string[]> => findPublicLanguages(db, languages, now)
