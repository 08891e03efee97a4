import type { Child } from 'hono/jsx'
import { type Document, neverExpires } from '../../documents/model/document.ts'
import { formatAge, formatDateTime, formatSize } from '../../shared/format.ts'
import { getLanguageLabel } from '../components/facts.tsx'
import { Icon } from '../components/icon.tsx'
import type { IconName } from '../components/icons.ts'
import { Cell } from '../components/table-cell.tsx'

/** Returns what a document is called in a list. */
export const getDisplayName = ({ title, id }: Document): string => title ?? id

/** Returns the marks that a list shows beside a document's name. */
const getMarks = (document: Document): { icon: IconName; label: string }[] => [
  ...(document.encrypted ? [{ icon: 'lock', label: 'encrypted' } as const] : []),
  ...(document.burnAfterReading ? [{ icon: 'flame', label: 'deleted after first read' } as const] : []),
  ...(document.public ? [{ icon: 'globe', label: 'public' } as const] : []),
]

/** A time as an age, which is shorter than a date. Its tooltip is the exact time. */
const ShortTime = ({ at, now }: { at: number; now: number }) => (
  <time datetime={new Date(at).toISOString()} title={formatDateTime(at)}>
    {formatAge(at, now)}
  </time>
)

/** A column that not every list has. */
export interface Column {
  readonly title: string
  readonly cell: (document: Document) => Child
}

interface DocumentTableProps {
  readonly documents: readonly Document[]
  /** Returns the current number of views. */
  readonly getViews: (document: Document) => number
  readonly now: number
  readonly first?: Column
  readonly last?: readonly Column[]
}

/** A table of documents, one row each. */
export const DocumentTable = ({ documents, getViews, now, first, last = [] }: DocumentTableProps) => (
  <table class="documents">
    <thead>
      <tr>
        {first && <th scope="col">{first.title}</th>}
        {['Title', 'Language', 'Views', 'Size', 'Created', 'Expires'].map((title) => (
          <th scope="col">{title}</th>
        ))}
        {last.map(({ title }) => (
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
            {getMarks(document).map(({ icon, label }) => (
              <>
                {' '}
                <span class="badge">
                  <Icon name={icon} />
                  {label}
                </span>
              </>
            ))}
          </th>
          <Cell column="Language">{getLanguageLabel(document)}</Cell>
          <Cell column="Views">{getViews(document)}</Cell>
          <Cell column="Size">{formatSize(document.contentBytes)}</Cell>
          <Cell column="Created">
            <ShortTime at={document.createdAt} now={now} />
          </Cell>
          <Cell column="Expires">
            {neverExpires(document) ? 'Never' : <ShortTime at={document.expiresAt} now={now} />}
          </Cell>
          {last.map(({ title, cell }) => (
            <Cell column={title}>{cell(document)}</Cell>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
