import { html } from 'hono/html'
import { type SitemapEntry, sitemapDays, sitemapEntries } from '../documents/public-lists.lazy.ts'
import type { AppContext } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { getReads } from '../http/find-document.ts'
import { DAY_MS } from '../shared/instant.ts'
import { EXPLORE_PATH } from '../site/layout/page.tsx'
import { answerXml, xmlDocument } from './feeds.ts'

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

const renderSitemap = (siteUrl: string, paths: readonly string[], entries: readonly SitemapEntry[]): string =>
  xmlDocument(html`<urlset xmlns="${NAMESPACE}">
${paths.map((path) => html`<url><loc>${siteUrl}${path}</loc></url>\n`)}
${entries.map(
  ({ id, updatedAt }) =>
    html`<url><loc>${siteUrl}/${id}</loc><lastmod>${new Date(updatedAt).toISOString()}</lastmod></url>\n`,
)}
</urlset>`)

const renderSitemapIndex = (addresses: readonly string[]): string =>
  xmlDocument(html`<sitemapindex xmlns="${NAMESPACE}">
${addresses.map((address) => html`<sitemap><loc>${address}</loc></sitemap>\n`)}
</sitemapindex>`)

const getPagePaths = ({ var: { config } }: AppContext): string[] => [
  '/',
  ...(config.explore ? [EXPLORE_PATH] : []),
  ...['/about', '/docs', '/abuse'],
  // These may redirect to pages elsewhere.
  ...(config.operator.privacyUrl === null ? ['/privacy'] : []),
  ...(config.operator.termsUrl === null ? ['/terms'] : []),
]

/** If there are more, the sitemap becomes an index of one sitemap for each day. */
const MAX_DOCUMENTS = 10_000
/** The most that the protocol allows in one file. */
const MAX_URLS = 50_000

const formatDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** A sitemap is big, and crawlers come again anyway. */
const answerSitemap = (c: AppContext, xml: string): Response =>
  answerXml(c, xml, 'application/xml', { headers: { 'Cache-Control': 'public, max-age=3600' } })

export const showPagesSitemap = (c: AppContext): Response =>
  answerSitemap(c, renderSitemap(c.var.siteUrl, getPagePaths(c), []))

export async function showSitemap(c: AppContext): Promise<Response> {
  const { config, now, siteUrl } = c.var
  if (!config.explore) return showPagesSitemap(c)
  const reads = getReads(c)
  const [entries] = await reads.ask(sitemapEntries({ limit: MAX_DOCUMENTS + 1, now }))
  if (entries.length <= MAX_DOCUMENTS) {
    return answerSitemap(c, renderSitemap(siteUrl, getPagePaths(c), entries))
  }
  const [days] = await reads.ask(sitemapDays(MAX_URLS - 1))
  const addresses = ['pages', ...days.map(formatDay)].map((name) => `${siteUrl}/sitemap-${name}.xml`)
  return answerSitemap(c, renderSitemapIndex(addresses))
}

export async function showDaySitemap(c: AppContext, day: string): Promise<Response> {
  const { now, siteUrl } = c.var
  const from = Date.parse(day)
  // Date takes 31 February for a day in March.
  if (Number.isNaN(from) || formatDay(from) !== day) throw routeNotFound()
  const [entries] = await getReads(c).ask(sitemapEntries({ from, to: from + DAY_MS, limit: MAX_URLS, now }))
  return answerSitemap(c, renderSitemap(siteUrl, [], entries))
}
