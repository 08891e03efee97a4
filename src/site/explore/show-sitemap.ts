import { listSitemapDays, listSitemapEntries } from '../../documents/list-sitemap.ts'
import type { AppContext } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { getReads } from '../../http/nearest-copy.ts'
import { EXPLORE_PATH } from '../layout/paths.ts'
import { answerSitemap } from './answer-xml.ts'
import { renderSitemap, renderSitemapIndex } from './render-sitemap.ts'

const ABOUT_PATHS = ['/about', '/docs', '/abuse']

/** Returns the paths of the pages on this server that search engines may list. */
const getPagePaths = ({ var: { config } }: AppContext): string[] => [
  '/',
  ...(config.explore ? [EXPLORE_PATH] : []),
  ...ABOUT_PATHS,
  // These may redirect to pages elsewhere.
  ...(config.operator.privacyUrl === null ? ['/privacy'] : []),
  ...(config.operator.termsUrl === null ? ['/terms'] : []),
]

/** The most documents in the sitemap itself. If there are more, it becomes an index of one sitemap for each day. */
const MAX_DOCUMENTS = 10_000
/** The most that the protocol allows in one file. */
const MAX_URLS = 50_000

const DAY_MS = 86_400_000

/** Returns the day of a time, such as `2026-11-20`. */
const formatDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Answers a sitemap of the pages alone. */
export const showPagesSitemap = (c: AppContext): Response =>
  answerSitemap(c, renderSitemap(c.var.siteUrl, getPagePaths(c), []))

/** Answers a sitemap of everything, or an index if that would be too much. */
export async function showSitemap(c: AppContext): Promise<Response> {
  const { config, now, siteUrl } = c.var
  if (!config.explore) return showPagesSitemap(c)
  const reads = getReads(c)
  const entries = await listSitemapEntries(reads, { limit: MAX_DOCUMENTS + 1, now })
  if (entries.length <= MAX_DOCUMENTS) {
    return answerSitemap(c, renderSitemap(siteUrl, getPagePaths(c), entries))
  }
  const days = await listSitemapDays(reads, MAX_URLS - 1)
  const addresses = ['pages', ...days.map(formatDay)].map((name) => `${siteUrl}/sitemap-${name}.xml`)
  return answerSitemap(c, renderSitemapIndex(addresses))
}

/**
 * Answers the sitemap of the documents that were created on a day (UTC).
 *
 * @param day such as `2026-11-20`.
 */
export async function showDaySitemap(c: AppContext, day: string): Promise<Response> {
  const { now, siteUrl } = c.var
  const from = Date.parse(day)
  // Date takes 31 February for a day in March.
  if (Number.isNaN(from) || formatDay(from) !== day) throw routeNotFound()
  const entries = await listSitemapEntries(getReads(c), { from, to: from + DAY_MS, limit: MAX_URLS, now })
  return answerSitemap(c, renderSitemap(siteUrl, [], entries))
}
