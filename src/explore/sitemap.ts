import { html } from 'hono/html'
import { type SitemapEntry, sitemapEntries } from '../documents/public-lists.ts'
import type { AppContext } from '../env.ts'
import { getReads } from '../http/find-document.ts'
import { EXPLORE_PATH } from '../ui/page.tsx'
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

const getPagePaths = ({ var: { config } }: AppContext): string[] => [
  '/',
  ...(config.explore ? [EXPLORE_PATH] : []),
  ...['/about', '/docs', '/abuse'],
  // These may redirect to pages elsewhere.
  ...(config.operator.privacyUrl === null ? ['/privacy'] : []),
  ...(config.operator.termsUrl === null ? ['/terms'] : []),
]

/** Older ones are found through the links of the explore page. */
const MAX_DOCUMENTS = 900

/** A sitemap is big, and crawlers come again anyway. */
const headers = { 'Cache-Control': 'public, max-age=3600' }

export async function showSitemap(c: AppContext): Promise<Response> {
  const { config, now, siteUrl } = c.var
  const newest = sitemapEntries({ limit: MAX_DOCUMENTS, now })
  const [entries] = config.explore ? await getReads(c).ask(newest) : [[]]
  return answerXml(c, renderSitemap(siteUrl, getPagePaths(c), entries), 'application/xml', { headers })
}
