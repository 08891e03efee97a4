import type { DatabaseReads } from '../platform/database.ts'
import { findPublicDays, findSitemapEntries, type SitemapEntry } from './sql/public-lists.ts'

export type { SitemapEntry } from './sql/public-lists.ts'

interface SitemapOptions {
  /** The earliest creation, in milliseconds since 1970; by default of all documents. */
  readonly from?: number
  /** The end of the time of creation, which isn't included. */
  readonly to?: number
  readonly limit: number
  readonly now: number
}

/** Returns the public documents that were created in a period, oldest first. One query, through an index alone. */
export const listSitemapEntries = (
  db: DatabaseReads,
  { from = 0, to = Number.MAX_SAFE_INTEGER, limit, now }: SitemapOptions,
): Promise<SitemapEntry[]> => findSitemapEntries(db, { from, to, limit, now })

/** Returns the days (UTC) on which public documents were created, in milliseconds since 1970. */
export const listSitemapDays = (db: DatabaseReads, limit: number): Promise<number[]> =>
  findPublicDays(db, limit)
