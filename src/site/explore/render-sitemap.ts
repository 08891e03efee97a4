import type { SitemapEntry } from '../../documents/list-sitemap.ts'
import { element, xmlDocument } from './xml.ts'

const ATTRIBUTES = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }

/** Returns a sitemap of pages and documents. */
export const renderSitemap = (
  siteUrl: string,
  paths: readonly string[],
  entries: readonly SitemapEntry[],
): string =>
  xmlDocument(
    element(
      'urlset',
      [
        ...paths.map((path) => element('url', element('loc', siteUrl + path))),
        ...entries.map(({ id, updatedAt }) =>
          element('url', [
            element('loc', `${siteUrl}/${id}`),
            element('lastmod', new Date(updatedAt).toISOString()),
          ]),
        ),
      ],
      ATTRIBUTES,
    ),
  )

/** Returns an index of the sitemaps at some addresses. */
export const renderSitemapIndex = (addresses: readonly string[]): string =>
  xmlDocument(
    element(
      'sitemapindex',
      addresses.map((address) => element('sitemap', element('loc', address))),
      ATTRIBUTES,
    ),
  )
