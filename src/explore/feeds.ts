import type { Document } from '../documents/document.ts'
import { type ListedDocuments, MAX_SEARCH_CHARACTERS } from '../documents/lists.ts'
import type { AppContext } from '../env.ts'
import { type AnswerOptions, answer } from '../http/answers.ts'
import { getDisplayName } from '../shared/derive-title.ts'
import { toReference } from '../shared/escape.ts'
import { formatSize } from '../shared/format.ts'
import { sha256 } from '../shared/hashing.ts'
import { MAX_LANGUAGE_CHARACTERS } from '../shared/settings.ts'
import { getLanguageLabel } from '../site/components/facts.tsx'
import { buildPath, EXPLORE_PATH, getProfilePath } from '../site/layout/page.tsx'

export type PublicListState = ReturnType<typeof parsePublicListState>

const truncate = (text: string | undefined, characters: number): string =>
  [...(text ?? '')].slice(0, characters).join('')

export const parsePublicListState = (query: (name: string) => string | undefined) => ({
  language: truncate(query('language'), MAX_LANGUAGE_CHARACTERS).toLowerCase(),
  search: truncate(query('search'), MAX_SEARCH_CHARACTERS),
  cursor: query('cursor') || undefined,
})

/** Everything that XML 1.0 doesn't allow, not even escaped: most control characters, surrogates and noncharacters. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

export const escapeXml = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\uFFFD').replaceAll(/[&<>"]/g, toReference)

/** Text among the children is escaped, unless this function returned it. */
export function element(
  name: string,
  children: string | XmlElement | readonly XmlElement[] = [],
  attributes: Readonly<Record<string, string>> = {},
): XmlElement {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const parts =
    typeof children === 'string'
      ? escapeXml(children)
      : [children]
          .flat()
          .map(({ xml }) => xml)
          .join('')
  return {
    xml: parts === '' ? `<${name}${start.join('')}/>` : `<${name}${start.join('')}>${parts}</${name}>`,
  }
}

interface XmlElement {
  readonly xml: string
}

export const xmlDocument = ({ xml }: XmlElement): string => `<?xml version="1.0" encoding="utf-8"?>\n${xml}\n`

export const EXPLORE_FEED_PATH = `${EXPLORE_PATH}.atom`
export const getProfileFeedPath = (username: string): string => `${getProfilePath(username)}.atom`

interface FeedOptions extends ListedDocuments {
  readonly title: string
  readonly siteUrl: string
  readonly path: string
  readonly pagePath: string
  readonly state: PublicListState
}

const time = (name: string, at: number): XmlElement => element(name, new Date(at).toISOString())

const link = (rel: string, type: string, href: string): XmlElement => element('link', [], { rel, type, href })

const toAuthor = ({ username, hasProfile }: NonNullable<Document['creator']>, siteUrl: string): XmlElement =>
  element('author', [
    element('name', username),
    ...(hasProfile ? [element('uri', siteUrl + getProfilePath(username))] : []),
  ])

const toEntry = (document: Document, siteUrl: string): XmlElement => {
  const address = `${siteUrl}/${document.id}`
  const language = getLanguageLabel(document)
  return element('entry', [
    element('id', address),
    element('title', getDisplayName(document)),
    link('alternate', 'text/html', address),
    time('published', document.createdAt),
    time('updated', document.updatedAt),
    ...(document.creator ? [toAuthor(document.creator, siteUrl)] : []),
    element('category', [], { term: document.language, label: language }),
    element('summary', `${language}, ${formatSize(document.contentBytes)}`),
  ])
}

/** Atom (RFC 4287), with pages linked as in RFC 5005. */
export function renderFeed({
  title,
  siteUrl,
  path,
  pagePath,
  state,
  documents,
  cursor,
}: FeedOptions): string {
  const { language } = state
  const getAddress = (to: string, query: Partial<PublicListState>) => siteUrl + buildPath(to, query)
  const type = 'application/atom+xml'
  const updated = Math.max(0, ...documents.map(({ updatedAt }) => updatedAt))
  return xmlDocument(
    element(
      'feed',
      [
        // All pages of a feed have the same id.
        element('id', getAddress(path, { language })),
        element('title', title),
        time('updated', updated),
        link('self', type, getAddress(path, { language, cursor: state.cursor })),
        link('first', type, getAddress(path, { language })),
        ...(cursor === null ? [] : [link('next', type, getAddress(path, { language, cursor }))]),
        link('alternate', 'text/html', getAddress(pagePath, { language })),
        // An entry without an author takes it from the feed.
        element('author', element('name', 'Regent')),
        ...documents.map((document) => toEntry(document, siteUrl)),
      ],
      { xmlns: 'http://www.w3.org/2005/Atom' },
    ),
  )
}

export const answerXml = (
  c: AppContext,
  xml: string,
  mediaType: string,
  { headers }: AnswerOptions,
): Response => answer(c, xml, { headers: { 'Content-Type': `${mediaType}; charset=utf-8`, ...headers } })

/** Feed readers ask often, and it rarely changes. */
export async function answerFeed(c: AppContext, xml: string): Promise<Response> {
  const tag = `"${await sha256(xml)}"`
  // The list is linked from a page, which search engines should show instead.
  const headers = { 'Cache-Control': 'no-cache', 'X-Robots-Tag': 'noindex', ETag: tag }
  const known = c.req.header('If-None-Match')?.split(',') ?? []
  if (known.some((candidate) => candidate.trim().replace(/^W\//, '') === tag)) {
    return answer(c, null, { status: 304, headers })
  }
  return answerXml(c, xml, 'application/atom+xml', { headers })
}
