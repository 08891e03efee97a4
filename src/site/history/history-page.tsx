import type { Document } from '../../documents/model/document.ts'
import type { Revision } from '../../documents/revisions/revisions.ts'
import { formatSize } from '../../shared/format.ts'
import { HISTORY_STYLES, SCRIPTS } from '../assets.generated.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { getLanguageLabel } from '../components/facts.tsx'
import { Cell } from '../components/table-cell.tsx'
import { Age } from '../components/time.tsx'
import { Layout } from '../layout/layout.tsx'
import { getComparePath, getDocumentName, getHistoryPath, getVersionPath } from './history-paths.ts'
import { getAuthorName } from './version-facts.tsx'

interface VersionTableProps {
  readonly document: Document
  readonly revisions: readonly Revision[]
  readonly now: number
}

interface ChoiceProps {
  readonly name: 'from' | 'to'
  readonly number: number
  readonly checked: boolean
}

const VersionChoice = ({ name, number, checked }: ChoiceProps) => (
  <input
    type="radio"
    name={name}
    value={number}
    checked={checked}
    aria-label={`${name === 'from' ? 'From' : 'To'} version ${number}`}
  />
)

const VersionTable = ({ document, revisions, now }: VersionTableProps) => (
  <table class="documents versions">
    <thead>
      <tr>
        <th scope="col">Version</th>
        <th scope="col">Author</th>
        <th scope="col">Saved</th>
        <th scope="col">Size</th>
        <th scope="col">Language</th>
        <th scope="col">Changes</th>
        <th scope="col">From</th>
        <th scope="col">To</th>
      </tr>
    </thead>
    <tbody>
      {revisions.map((revision, index) => {
        const { number, bytes, createdAt, current } = revision
        const previous = revisions[index + 1]
        return (
          <tr>
            <th scope="row">
              <a href={getVersionPath(document.id, number)}>Version {number}</a>
              {current && (
                <>
                  {' '}
                  <span class="badge">Current</span>
                </>
              )}
            </th>
            <Cell column="Author">{getAuthorName(document, revision)}</Cell>
            <Cell column="Saved">
              <Age at={createdAt} now={now} />
            </Cell>
            <Cell column="Size">{formatSize(bytes)}</Cell>
            <Cell column="Language">{getLanguageLabel(revision)}</Cell>
            <Cell column="Changes">
              {previous ? (
                <a href={getComparePath(document.id, previous.number, number)}>
                  Compare<span class="visually-hidden"> version {number}</span> with {previous.number}
                </a>
              ) : number === 1 ? (
                'First version'
              ) : (
                'Oldest version'
              )}
            </Cell>
            <Cell column="From">
              <VersionChoice
                name="from"
                number={number}
                checked={index === Math.min(1, revisions.length - 1)}
              />
            </Cell>
            <Cell column="To">
              <VersionChoice name="to" number={number} checked={index === 0} />
            </Cell>
          </tr>
        )
      })}
    </tbody>
  </table>
)

/** What the creator can do with the history as a whole. */
const ManageHistory = ({ document: { id, keepRevisions }, count }: { document: Document; count: number }) => (
  <section class="section" aria-labelledby="manage-history">
    <h2 id="manage-history">Manage history</h2>
    {keepRevisions ? (
      <p>
        Each time the text is edited, we keep the version before: the newest 50, up to 50 MiB. Only you and
        your editors can see them.
      </p>
    ) : (
      <p>We don’t keep previous versions of this document.</p>
    )}
    <div class="actions">
      {count > 1 && (
        <ConfirmationButton
          id="delete-history"
          title="Delete the history?"
          button="Delete history"
          action={`${getHistoryPath(id)}/delete`}
        >
          <p>All versions except the current one will be deleted. You can’t undo this.</p>
        </ConfirmationButton>
      )}
      {keepRevisions ? (
        <ConfirmationButton
          id="stop-history"
          title="Stop keeping history?"
          button="Don’t keep history"
          action={`${getHistoryPath(id)}/stop`}
        >
          <p>
            The versions before the current one will be deleted, and edits won’t keep any more. You can’t undo
            this.
          </p>
        </ConfirmationButton>
      ) : (
        <form method="post" action={`${getHistoryPath(id)}/keep`} class="inline">
          <button type="submit">Keep history</button>
        </form>
      )}
    </div>
  </section>
)

interface HistoryPageProps extends VersionTableProps {
  readonly signedIn: boolean
  readonly isCreator: boolean
  /** What has just been done. */
  readonly message: string | null
}

/** Lists the versions of a document. */
export const HistoryPage = ({ signedIn, isCreator, message, ...table }: HistoryPageProps) => {
  const { document, revisions } = table
  return (
    <Layout
      title={`History of ${getDocumentName(document)}`}
      signedIn={signedIn}
      styles={[HISTORY_STYLES]}
      scripts={[SCRIPTS.submitOnce]}
    >
      <h1>History</h1>
      <p class="history-of">
        <a href={`/${document.id}`}>
          <bdi>{getDocumentName(document)}</bdi>
        </a>
      </p>
      {message !== null && (
        <p class="banner" role="status">
          {message}
        </p>
      )}
      {revisions.length > 1 ? (
        <form action={`${getHistoryPath(document.id)}/compare`} class="compare-versions">
          <VersionTable {...table} />
          <button type="submit">Compare</button>
        </form>
      ) : (
        <p>
          This document has no previous versions
          {document.keepRevisions && !document.burnAfterReading && ' yet'}.
          {document.burnAfterReading && ' Documents that are deleted after the first read keep none.'}
        </p>
      )}
      {isCreator && <ManageHistory document={document} count={revisions.length} />}
    </Layout>
  )
}
