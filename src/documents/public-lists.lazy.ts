import { mapQuery, type Query, query } from '../platform/database.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'
import type { SqlParameter } from '../shared/statement.ts'
import {
  countUpTo,
  isIntegerKey,
  type ListedDocuments,
  pageOf,
  parseCursor,
  toList,
  toSearch,
} from './lists.ts'

/** The documents that lists may show, whose indexes contain nothing else. The same as `isListed`. */
const LISTED = 'd.public = 1 AND d.encrypted = 0 AND d.instant_delete = 0 AND d.creator_id IS NOT NULL'

const BY_ACTIVE_ACCOUNT =
  'EXISTS (SELECT 1 FROM users WHERE id = d.creator_id AND suspended_at IS NULL AND leaving IS NULL)'

/** Bounds the time of a search: scanning this many entries of an index takes tens of milliseconds. */
const MAX_SEARCHED = 100_000

const IS_SEARCHED = `d.created_at >= ifnull((
    SELECT d.created_at FROM documents d INDEXED BY documents_public WHERE ${LISTED}
    ORDER BY d.created_at DESC, d.id DESC LIMIT 1 OFFSET ${MAX_SEARCHED}), 0)`

interface PublicSelection {
  readonly language: string | null
  readonly author: string | null
  readonly search: string | null
  readonly now: Instant
}

const getIndex = ({ author, language }: PublicSelection): string => {
  if (author !== null) return 'documents_public_by_creator'
  return language === null ? 'documents_public' : 'documents_public_by_language'
}

/** What to read from in SQL, and the parameters. */
function selectPublic(selection: PublicSelection): [from: string, parameters: SqlParameter[]] {
  const { language, author, search, now } = selection
  const parameters: SqlParameter[] = [now]
  const conditions = [LISTED, 'd.expires_at > ?1', BY_ACTIVE_ACCOUNT]
  const add = (parameter: SqlParameter): string => `?${parameters.push(parameter)}`
  if (author !== null)
    conditions.push(`d.creator_id = (SELECT id FROM users WHERE username = ${add(author)})`)
  if (language !== null) conditions.push(`d.language = ${add(language)}`)
  // Not LIKE: D1 limits its patterns to 50 bytes.
  if (search !== null) conditions.push(`instr(d.title_key, ${add(search)}) > 0`, IS_SEARCHED)
  return [`documents d INDEXED BY ${getIndex(selection)} WHERE ${conditions.join(' AND ')}`, parameters]
}

export const publicLanguages = (languages: readonly string[], now: Instant): Query<string[]> =>
  query(
    [
      `SELECT value AS name FROM json_each(?1) WHERE EXISTS (
          SELECT 1 FROM documents d INDEXED BY documents_public_by_language
          WHERE ${LISTED} AND d.language = value AND d.expires_at > ?2)`,
      JSON.stringify(languages),
      now,
    ],
    (rows: { name: string }[]) => rows.map(({ name }) => name),
  )

export interface SitemapEntry {
  readonly id: string
  readonly updatedAt: Instant
}

interface SitemapOptions {
  /** `to` is not included. */
  readonly from?: Instant
  readonly to?: Instant
  readonly limit: number
  readonly now: Instant
}

/** By time of creation, oldest first. Reads an index alone. */
export const sitemapEntries = ({
  from = 0,
  to = Number.MAX_SAFE_INTEGER,
  limit,
  now,
}: SitemapOptions): Query<SitemapEntry[]> =>
  query(
    [
      `SELECT d.id, d.updated_at AS updatedAt FROM documents d INDEXED BY documents_public
        WHERE ${LISTED} AND d.created_at >= ?1 AND d.created_at < ?2 AND d.expires_at > ?3 AND ${BY_ACTIVE_ACCOUNT}
        ORDER BY d.created_at, d.id LIMIT ?4`,
      from,
      to,
      now,
      limit,
    ],
    (rows: SitemapEntry[]) => rows,
  )

const getNextDay = (after: string) => `(
    SELECT d.created_at FROM documents d INDEXED BY documents_public WHERE ${LISTED} AND d.created_at >= ${after}
    ORDER BY d.created_at, d.id LIMIT 1) / ${DAY_MS} * ${DAY_MS}`

/** The days (UTC) on which public documents were created. Takes one look into the index for each. */
export const sitemapDays = (limit: number): Query<Instant[]> =>
  query(
    [
      `SELECT day FROM (
          WITH RECURSIVE days (day) AS (
            SELECT ${getNextDay('0')} UNION ALL SELECT ${getNextDay(`day + ${DAY_MS}`)} FROM days WHERE day IS NOT NULL)
          SELECT day FROM days WHERE day IS NOT NULL LIMIT ?1)`,
      limit,
    ],
    (rows: { day: Instant }[]) => rows.map(({ day }) => day),
  )

/** So that the lists of an account don't take the cursor. */
const ORDER = 'public'

interface PublicListOptions {
  readonly language?: string | undefined
  readonly author?: string | undefined
  readonly search?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
  readonly now: Instant
}

/**
 * Costs the same however many documents there are; a search looks at the 100,000 newest. It never has documents that
 * are encrypted, burn after reading or have expired, nor those of accounts that are suspended or deleted. Paging
 * returns every document that stays public exactly once.
 *
 * @throws AppError `bad_request` for a cursor that isn't from this list.
 */
export function publicDocuments({ cursor, limit, ...options }: PublicListOptions): Query<ListedDocuments> {
  const [from, parameters] = selectPublic(toSelection(options))
  const page = pageOf({
    from,
    parameters,
    key: 'd.created_at',
    direction: 'DESC',
    after: cursor === undefined ? null : parseCursor(cursor, ORDER, isIntegerKey),
    // One document more than requested shows whether another page follows.
    limit: limit + 1,
  })
  return mapQuery(page, (found) => toList(found, limit, ORDER, ({ createdAt }) => createdAt))
}

type PublicTotalOptions = Omit<PublicListOptions, 'cursor' | 'limit'>

const toSelection = ({ language = '', author, search = '', now }: PublicTotalOptions): PublicSelection => ({
  language: language.toLowerCase() || null,
  author: author ?? null,
  search: toSearch(search),
  now,
})

export const publicTotal = (options: PublicTotalOptions): Query<number> =>
  countUpTo(...selectPublic(toSelection(options)))
