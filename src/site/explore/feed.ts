import type { ListedDocuments } from '../../documents/list.ts'
import type { Document } from '../../documents/model/document.ts'
import { formatSize } from '../../shared/format.ts'
import { getLanguageLabel } from '../components/facts.tsx'
import { getProfilePath } from '../layout/paths.ts'
import { getDisplayName } from '../lists/document-table.tsx'
import { buildPublicListPath, type PublicListState } from './list-state.ts'
import { element, type XmlElement, xmlDocument } from './xml.ts'

interface FeedOptions extends ListedDocuments {
  readonly title: string
  /** The address that links start with, without a trailing slash. */
  readonly siteUrl: string
  /** The path of the feed, without a query. */
  readonly path: string
  /** The path of the page with the same documents, without a query. */
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

/** Returns an Atom feed (RFC 4287) of a page of public documents. Its pages are linked as in RFC 5005. */
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
  const getAddress = (to: string, query: Partial<PublicListState>) => siteUrl + buildPublicListPath(to, query)
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
