import { html } from 'hono/html'
import { type ListedDocument, type ListedDocuments, MAX_SEARCH_CHARACTERS } from '../documents/lists.ts'
import type { AppContext } from '../env.ts'
import { type AnswerOptions, answer, someTag } from '../http/answers.ts'
import { getDisplayName } from '../shared/derive-title.ts'
import { formatIsoTime, formatSize } from '../shared/format.ts'
import { sha256 } from '../shared/hashing.ts'
import { MAX_LANGUAGE_CHARACTERS } from '../shared/settings.ts'
import { getLanguageLabel } from '../ui/facts.tsx'
import { buildPath, EXPLORE_PATH, getProfilePath } from '../ui/page.tsx'

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

/** @param root from the `html` of Hono, which escapes for XML, too. */
export const xmlDocument = (root: ReturnType<typeof html>): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n${String(root).replaceAll(FORBIDDEN, '\uFFFD')}\n`

export const EXPLORE_FEED_PATH = `${EXPLORE_PATH}.atom`
export const getProfileFeedPath = (username: string): string => `${getProfilePath(username)}.atom`

interface FeedOptions extends ListedDocuments {
  readonly title: string
  readonly siteName: string
  readonly siteUrl: string
  readonly path: string
  readonly pagePath: string
  readonly state: PublicListState
}

function renderEntry(document: ListedDocument, siteUrl: string) {
  const { id, creator, createdAt, updatedAt, contentBytes } = document
  const address = `${siteUrl}/${id}`
  const language = getLanguageLabel(document)
  const uri = creator?.hasProfile && html`<uri>${siteUrl}${getProfilePath(creator.username)}</uri>`
  return html`<entry>
<id>${address}</id>
<title>${getDisplayName(document)}</title>
<link rel="alternate" type="text/html" href="${address}"/>
<published>${formatIsoTime(createdAt)}</published>
<updated>${formatIsoTime(updatedAt)}</updated>
${creator && html`<author><name>${creator.username}</name>${uri}</author>`}
<category term="${document.language}" label="${language}"/>
<summary>${language}, ${formatSize(contentBytes)}</summary>
</entry>
`
}

/** Writes Atom (RFC 4287), with pages linked as in RFC 5005. */
export function renderFeed(options: FeedOptions): string {
  const { title, siteName, siteUrl, path, pagePath, state, documents, cursor } = options
  const { language } = state
  const getAddress = (to: string, query: Partial<PublicListState>) => siteUrl + buildPath(to, query)
  const link = (rel: string, query: Partial<PublicListState>) =>
    html`<link rel="${rel}" type="application/atom+xml" href="${getAddress(path, query)}"/>`
  // All pages of a feed have the same id. An entry without an author takes it from the feed.
  return xmlDocument(html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${getAddress(path, { language })}</id>
<title>${title}</title>
<updated>${formatIsoTime(Math.max(0, ...documents.map(({ updatedAt }) => updatedAt)))}</updated>
${link('self', { language, cursor: state.cursor })}
${link('first', { language })}
${cursor !== null && link('next', { language, cursor })}
<link rel="alternate" type="text/html" href="${getAddress(pagePath, { language })}"/>
<author><name>${siteName}</name></author>
${documents.map((document) => renderEntry(document, siteUrl))}</feed>`)
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
  if (someTag(c.req.header('If-None-Match') ?? '', (known) => known === tag))
    return answer(c, null, { status: 304, headers })
  return answerXml(c, xml, 'application/atom+xml', { headers })
}
