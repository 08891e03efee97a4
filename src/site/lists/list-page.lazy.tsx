import type { Document } from '../../documents/document.ts'
import { type ListedDocuments, SORTS, type Sort } from '../../documents/lists.ts'
import type { Removal } from '../../moderation/removals.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { CancelButton, ConfirmationButton, OpenButton } from '../components/confirmation.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Time } from '../components/facts.tsx'
import { Layout, Notice } from '../layout/layout.tsx'
import { SHARED_DOCUMENTS_PATH, YOUR_DOCUMENTS_PATH } from '../layout/page.tsx'
import { type Column, DocumentTable, getColumns, getDisplayName, SearchField } from './document-table.tsx'
import { buildListPath, type ListState } from './your-documents.tsx'

const DELETE_PATH = `${YOUR_DOCUMENTS_PATH}/delete`

const SORT_LABELS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  expiring: 'Expiring soonest',
  largest: 'Largest first',
  viewed: 'Most viewed',
  title: 'Title A–Z',
} as const satisfies Record<Sort, string>

const ListForm = ({ state: { shared, search, sort } }: { state: ListState }) => (
  <search>
    <form method="get" action={YOUR_DOCUMENTS_PATH} class="list-form">
      {shared && <input type="hidden" name="view" value="shared" />}
      <SearchField value={search} />
      <select name="sort" aria-label="Sort by">
        {SORTS.map((name) => (
          <option value={name} selected={name === sort}>
            {SORT_LABELS[name]}
          </option>
        ))}
      </select>
      <button type="submit" class="quiet">
        Apply
      </button>
    </form>
  </search>
)

const PageLinks = ({ state, next }: { state: ListState; next: string | null }) =>
  state.cursor === undefined && next === null ? null : (
    <nav aria-label="Pages" class="actions">
      {state.cursor !== undefined && <a href={buildListPath({ ...state, cursor: undefined })}>First page</a>}
      {next !== null && <a href={buildListPath({ ...state, cursor: next })}>Next page</a>}
    </nav>
  )

const SELECTION = 'selection'

const SelectDocument = ({ document }: { document: Document }) => (
  <input
    type="checkbox"
    name="id"
    value={document.id}
    form={SELECTION}
    // A browser that restores checkboxes on reload could select another document in the same place.
    autocomplete="off"
    aria-label={`Select ${getDisplayName(document)}`}
  />
)

const DeleteSelected = ({ state: { search, sort } }: { state: ListState }) => (
  <>
    <OpenButton id="delete-selected">Delete selected</OpenButton>
    <dialog id="delete-selected" popover="auto" aria-labelledby="delete-selected-title">
      <h2 id="delete-selected-title">Delete the selected documents?</h2>
      <form method="post" action={DELETE_PATH} id={SELECTION}>
        <input type="hidden" name="search" value={search} />
        <input type="hidden" name="sort" value={sort} />
        <p>Their links will stop working. You can’t undo this.</p>
        <button type="submit" class="danger">
          Delete
        </button>
      </form>
      <CancelButton id="delete-selected" />
    </dialog>
  </>
)

const LEAVE_COLUMN: Column = {
  title: 'Leave',
  cell: (document) => (
    <ConfirmationButton
      id={`leave-${document.id}`}
      title={`Leave “${getDisplayName(document)}”?`}
      button="Leave"
      action={`/${document.id}/editors/leave`}
    >
      <p>You’ll no longer be able to edit it. Only the author can add you again.</p>
    </ConfirmationButton>
  ),
}

const SELECT_COLUMN: Column = {
  title: 'Select',
  cell: (document) => <SelectDocument document={document} />,
}

type TableProps = Pick<ListPageProps, 'state' | 'documents' | 'getViews' | 'now'>

const ListedTable = ({ state: { shared }, documents, getViews, now }: TableProps) => {
  const { author, language, views, size, created, expires } = getColumns({ getViews, now })
  const columns = [language, views, size, created, expires]
  return (
    <DocumentTable
      documents={documents}
      first={shared ? undefined : SELECT_COLUMN}
      columns={shared ? [...columns, author, LEAVE_COLUMN] : columns}
    />
  )
}

interface ListPageProps extends ListedDocuments {
  readonly state: ListState
  readonly now: number
  readonly getViews: (document: ListedDocuments['documents'][number]) => number
  readonly removals: readonly Removal[]
}

const NothingListed = ({ state: { shared, search } }: { state: ListState }) => {
  if (search !== '')
    return (
      <EmptyState
        icon="search"
        title={
          <>
            No titles contain “<bdi>{search}</bdi>”
          </>
        }
      >
        <p>Search looks at titles, not at text.</p>
        <a
          class="button quiet"
          href={buildListPath({ shared, search: '', sort: 'newest', cursor: undefined })}
        >
          Show all
        </a>
      </EmptyState>
    )
  if (shared)
    return (
      <EmptyState icon="users" title="Nobody has shared a document with you yet">
        <p>When someone adds you as an editor, their document appears here.</p>
      </EmptyState>
    )
  return (
    <EmptyState icon="document" title="No documents yet">
      <p>Documents you create while you’re signed in appear here.</p>
      <a class="button" href="/">
        Create a document
      </a>
    </EmptyState>
  )
}

const Removed = ({ removals }: { removals: readonly Removal[] }) => (
  <section class="section" aria-labelledby="removed">
    <h2 id="removed">Removed by the operator</h2>
    <ul class="rows">
      {removals.map(({ documentId, title, removedAt, reason }) => (
        <li>
          <span>
            <bdi>{title ?? documentId}</bdi>, <Time at={removedAt} />: {reason}
          </span>
        </li>
      ))}
    </ul>
  </section>
)

export const ListPage = ({ state, documents, cursor, getViews, removals, now }: ListPageProps) => (
  <Layout title={state.shared ? 'Shared with you' : 'Your documents'} signedIn scripts={[SCRIPTS.submitOnce]}>
    <h1>{state.shared ? 'Shared with you' : 'Your documents'}</h1>
    <nav aria-label="Lists" class="actions tabs">
      <a href={YOUR_DOCUMENTS_PATH} aria-current={state.shared ? undefined : 'page'}>
        Your documents
      </a>
      <a href={SHARED_DOCUMENTS_PATH} aria-current={state.shared ? 'page' : undefined}>
        Shared with you
      </a>
    </nav>
    {(documents.length > 0 || state.search !== '') && <ListForm state={state} />}
    {documents.length === 0 && <NothingListed state={state} />}
    {documents.length > 0 && (
      <ListedTable state={state} documents={documents} getViews={getViews} now={now} />
    )}
    {documents.length > 0 && !state.shared && <DeleteSelected state={state} />}
    <PageLinks state={state} next={cursor} />
    {removals.length > 0 && <Removed removals={removals} />}
  </Layout>
)

export const NothingSelectedPage = () => (
  <Notice title="Nothing selected" signedIn>
    <p>
      Go back to <a href={YOUR_DOCUMENTS_PATH}>your documents</a> and select the ones to delete.
    </p>
  </Notice>
)
