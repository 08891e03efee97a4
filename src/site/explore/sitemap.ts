import { Hono } from 'hono'
import { listSitemapDays, listSitemapEntries, type SitemapEntry } from '../../documents/list-sitemap.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { answerErrorText } from '../../http/answers/error-text.ts'
import { limitSearches } from '../../http/limits/limit-requests.ts'
import { requireExplore } from '../../http/require-explore.ts'
import { EXPLORE_PATH } from '../layout/paths.ts'

/** Loads what few requests need. */
const loadXml = () => import('./render-sitemap.ts')

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

async function answerEntries(c: AppContext, paths: readonly string[], entries: readonly SitemapEntry[]) {
  const { answerSitemap, renderSitemap } = await loadXml()
  return answerSitemap(c, renderSitemap(c.var.siteUrl, paths, entries))
}

/** The addresses that search engines may list (sitemaps.org). They take long queries, so they count as searches. */
export const sitemap = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/sitemap.xml', limitSearches, async (c) => {
    const { config, now, siteUrl, store } = c.var
    const paths = getPagePaths(c)
    if (!config.explore) return answerEntries(c, paths, [])
    const entries = await listSitemapEntries(store, { limit: MAX_DOCUMENTS + 1, now })
    if (entries.length <= MAX_DOCUMENTS) return answerEntries(c, paths, entries)
    const days = await listSitemapDays(store, MAX_URLS - 1)
    const { answerSitemap, renderSitemapIndex } = await loadXml()
    const names = ['pages', ...days.map(formatDay)]
    const addresses = names.map((name) => `${siteUrl}/sitemap-${name}.xml`)
    return answerSitemap(c, renderSitemapIndex(addresses))
  })
  .get('/sitemap-pages.xml', requireExplore, (c) => answerEntries(c, getPagePaths(c), []))
  .get('/:file{sitemap-[0-9]{4}-[0-9]{2}-[0-9]{2}\\.xml}', requireExplore, limitSearches, async (c) => {
    const { now, store } = c.var
    const day = c.req.param('file').slice('sitemap-'.length, -'.xml'.length)
    const from = Date.parse(day)
    // Date takes 31 February for a day in March.
    if (Number.isNaN(from) || formatDay(from) !== day) throw routeNotFound()
    const entries = await listSitemapEntries(store, { from, to: from + DAY_MS, limit: MAX_URLS, now })
    return answerEntries(c, [], entries)
  })
