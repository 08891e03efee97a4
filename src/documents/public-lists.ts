import { type Query, query } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import { type ListedDocuments, pageByTime, type Source, toSearch } from './lists.ts'

/** The documents that lists may show, whose indexes contain nothing else. The same as `isListed`. */
const LISTED = 'd.public = 1 AND d.encrypted = 0 AND d.instant_delete = 0 AND d.creator_id IS NOT NULL'

interface PublicSelection {
  readonly language?: string | undefined
  readonly author?: string | undefined
}

function getSource({ language = '', author }: PublicSelection): Source {
  const source = (index: string, where: string, ...parameters: string[]): Source => ({
    from: `documents d INDEXED BY ${index}`,
    where: `${LISTED} AND ${where}`,
    parameters,
    order: ['d.created_at', 'd.id'],
    rows: 1,
  })
  if (author !== undefined)
    return source(
      'documents_public_by_creator',
      'd.creator_id = (SELECT id FROM users WHERE username = ?1)',
      author,
    )
  if (language === '') return source('documents_public', 'd.hidden = 0')
  return source('documents_public_by_language', 'd.hidden = 0 AND d.language = ?1', language.toLowerCase())
}

interface PublicListOptions extends PublicSelection {
  readonly search?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
  readonly now: Instant
}

/**
 * Never has documents that are encrypted, burn after reading or have expired, nor those of accounts that are suspended or
 * deleted. Paging returns every document that stays public exactly once.
 *
 * @throws AppError `bad_request` for a cursor that isn't from this list.
 */
export const publicDocuments = ({
  search = '',
  language,
  author,
  ...page
}: PublicListOptions): Query<ListedDocuments> =>
  pageByTime({
    cursor: undefined,
    ...page,
    source: getSource({ language, author }),
    search: toSearch(search),
    // So that the lists of an account don't take the cursor.
    order: 'public',
    direction: 'DESC',
  })

/** Counts those that have just expired, too. */
export const hasPublicDocuments = (author: string): Query<boolean> => {
  const { from, where, parameters } = getSource({ author })
  return query(
    [`SELECT 1 FROM ${from} WHERE ${where} LIMIT 1`, ...parameters],
    (rows: unknown[]) => rows.length > 0,
  )
}

export interface SitemapEntry {
  readonly id: string
  readonly updatedAt: Instant
}

/** Lists public documents for the sitemap, the newest first. It looks at no more than `limit`. */
export const sitemapEntries = ({ limit, now }: { limit: number; now: Instant }): Query<SitemapEntry[]> =>
  query(
    [
      `SELECT d.id, d.updated_at AS updatedAt FROM (
          SELECT * FROM documents d INDEXED BY documents_public WHERE ${LISTED} AND d.hidden = 0
          ORDER BY d.created_at DESC, d.id DESC LIMIT ?1) d
        WHERE d.expires_at > ?2
          AND EXISTS (SELECT 1 FROM users WHERE id = d.creator_id AND suspended_at IS NULL AND leaving IS NULL)`,
      limit,
      now,
    ],
    (rows: SitemapEntry[]) => rows,
  )
