import type { Child } from 'hono/jsx'
import { type Document, neverExpires } from '../../documents/document.ts'
import { MAX_SEARCH_CHARACTERS } from '../../documents/lists.ts'
import { formatAge, formatDateTime, formatSize } from '../../shared/format.ts'
import { getAuthor, getLanguageLabel } from '../components/facts.tsx'
import { Cell } from '../components/fields.tsx'
import { Icon, type IconName } from '../components/icons.tsx'

export const getDisplayName = ({ title, id }: Document): string => title ?? id

const getMarks = (document: Document): { icon: IconName; label: string }[] => [
  ...(document.encrypted ? [{ icon: 'lock', label: 'encrypted' } as const] : []),
  ...(document.burnAfterReading ? [{ icon: 'flame', label: 'deleted after first read' } as const] : []),
  ...(document.public ? [{ icon: 'globe', label: 'public' } as const] : []),
]

const ShortTime = ({ at, now }: { at: number; now: number }) => (
  <time datetime={new Date(at).toISOString()} title={formatDateTime(at)}>
    {formatAge(at, now)}
  </time>
)

export interface Column {
  readonly title: string
  readonly cell: (document: Document) => Child
}

export const getColumns = ({ getViews, now }: { getViews: (document: Document) => number; now: number }) =>
  ({
    author: { title: 'Author', cell: getAuthor },
    language: { title: 'Language', cell: getLanguageLabel },
    views: { title: 'Views', cell: getViews },
    size: { title: 'Size', cell: ({ contentBytes }) => formatSize(contentBytes) },
    created: { title: 'Created', cell: ({ createdAt }) => <ShortTime at={createdAt} now={now} /> },
    expires: {
      title: 'Expires',
      cell: (document) =>
        neverExpires(document) ? 'Never' : <ShortTime at={document.expiresAt} now={now} />,
    },
  }) satisfies Readonly<Record<string, Column>>

export const SearchField = ({ value }: { value: string }) => (
  <div class="search-field">
    <Icon name="search" />
    <input
      type="search"
      name="search"
      value={value}
      maxlength={MAX_SEARCH_CHARACTERS}
      autocomplete="off"
      aria-label="Search titles"
      placeholder="Search titles"
    />
  </div>
)

interface DocumentTableProps {
  readonly documents: readonly Document[]
  readonly columns: readonly Column[]
  readonly first?: Column | undefined
  readonly marked?: boolean
}

export const DocumentTable = ({ documents, columns, first, marked = true }: DocumentTableProps) => (
  <table class="documents">
    <thead>
      <tr>
        {first && <th scope="col">{first.title}</th>}
        {['Title', ...columns.map(({ title }) => title)].map((title) => (
          <th scope="col">{title}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {documents.map((document) => (
        <tr>
          {first && <Cell column={first.title}>{first.cell(document)}</Cell>}
          <th scope="row">
            <a href={`/${document.id}`}>
              <bdi>{getDisplayName(document)}</bdi>
            </a>
            {marked &&
              getMarks(document).map(({ icon, label }) => (
                <>
                  {' '}
                  <span class="badge">
                    <Icon name={icon} />
                    {label}
                  </span>
                </>
              ))}
          </th>
          {columns.map(({ title, cell }) => (
            <Cell column={title}>{cell(document)}</Cell>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
