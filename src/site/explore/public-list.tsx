import type { Document } from '../../documents/model/document.ts'
import { DocumentTable, getColumns } from '../lists/document-table.tsx'
import { buildPublicListPath, type PublicListState } from './list-state.ts'

interface PublicListProps {
  readonly documents: readonly Document[]
  readonly getViews: (document: Document) => number
  readonly now: number
  /** Whether to name the author of each document. */
  readonly authors: boolean
}

/** A table of public documents. */
export const PublicList = ({ documents, authors, ...options }: PublicListProps) => {
  const { author, language, size, views, created } = getColumns(options)
  const columns = [language, size, views, created]
  return (
    <DocumentTable documents={documents} columns={authors ? [author, ...columns] : columns} marked={false} />
  )
}

interface PublicPageLinksProps {
  readonly path: string
  readonly state: PublicListState
  /** The cursor of the next page; null on the last. */
  readonly next: string | null
}

export const PublicPageLinks = ({ path, state, next }: PublicPageLinksProps) =>
  state.cursor === undefined && next === null ? null : (
    <nav aria-label="Pages" class="actions">
      {state.cursor !== undefined && (
        <a href={buildPublicListPath(path, { ...state, cursor: undefined })}>Newest</a>
      )}
      {next !== null && (
        <a href={buildPublicListPath(path, { ...state, cursor: next })} rel="next">
          Older
        </a>
      )}
    </nav>
  )

/** Tells feed readers where the feed of a page is. */
export const FeedLink = ({ title, path }: { title: string; path: string }) => (
  <link rel="alternate" type="application/atom+xml" title={title} href={path} />
)
