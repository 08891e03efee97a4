import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/model/document.ts'
import { formatSize } from '../../shared/format.ts'
import { Expiration, languageName } from '../components/facts.tsx'
import { Time } from '../components/time.tsx'

/** What a document is called where no more than a line of it is shown. */
export const nameOf = ({ title, id }: Document): string => title ?? id

/** What is special about a document, in words. */
const marksOf = (document: Document): string[] => [
  ...(document.encrypted ? ['encrypted'] : []),
  ...(document.burnAfterReading ? ['read once'] : []),
  ...(document.public ? ['public'] : []),
]

/** A column that only some lists have. */
export interface Column {
  readonly title: string
  readonly cell: (document: Document) => Child
}

interface DocumentTableProps {
  readonly documents: readonly Document[]
  /** Views as they are now. */
  readonly viewsOf: (document: Document) => number
  readonly first?: Column
  readonly last?: readonly Column[]
}

/** A cell; on a phone, where the header is not seen, the column's title stands before it. */
export const Cell = ({ column, children }: { column: string; children: Child }) => (
  <td data-column={column}>{children}</td>
)

/** Documents without their text, a row each. */
export const DocumentTable = ({ documents, viewsOf, first, last = [] }: DocumentTableProps) => (
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
              <bdi>{nameOf(document)}</bdi>
            </a>
            {marksOf(document).map((mark) => (
              <>
                {' '}
                <span class="badge">{mark}</span>
              </>
            ))}
          </th>
          <Cell column="Language">{languageName(document)}</Cell>
          <Cell column="Views">{viewsOf(document)}</Cell>
          <Cell column="Size">{formatSize(document.contentBytes)}</Cell>
          <Cell column="Created">
            <Time at={document.createdAt} />
          </Cell>
          <Cell column="Expires">
            <Expiration document={document} />
          </Cell>
          {last.map(({ title, cell }) => (
            <Cell column={title}>{cell(document)}</Cell>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
