import { MAX_SEARCH_CHARACTERS } from '../../documents/list.ts'
import type { Document } from '../../documents/model/document.ts'
import { SORTS, type Sort } from '../../documents/sql/lists.ts'
import { CancelButton, OpenButton } from '../components/confirmation.tsx'
import { Icon } from '../components/icon.tsx'
import { YOUR_DOCUMENTS_PATH } from '../layout/paths.ts'
import { getDisplayName } from './document-table.tsx'
import { buildListPath, type ListState } from './list-state.ts'

const DELETE_PATH = `${YOUR_DOCUMENTS_PATH}/delete`

const SORT_LABELS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  expiring: 'Expiring soonest',
  largest: 'Largest first',
  viewed: 'Most viewed',
  title: 'Title A–Z',
} as const satisfies Record<Sort, string>

/** The form that searches and sorts. Its results start at the first page. */
export const ListForm = ({ state: { shared, search, sort } }: { state: ListState }) => (
  <search>
    <form method="get" action={YOUR_DOCUMENTS_PATH} class="list-form">
      {shared && <input type="hidden" name="view" value="shared" />}
      <div class="search-field">
        <Icon name="search" />
        <input
          type="search"
          name="search"
          value={search}
          maxlength={MAX_SEARCH_CHARACTERS}
          autocomplete="off"
          aria-label="Search titles"
          placeholder="Search titles"
        />
      </div>
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

export const PageLinks = ({ state, next }: { state: ListState; next: string | null }) =>
  state.cursor === undefined && next === null ? null : (
    <nav aria-label="Pages" class="actions">
      {state.cursor !== undefined && <a href={buildListPath({ ...state, cursor: undefined })}>First page</a>}
      {next !== null && <a href={buildListPath({ ...state, cursor: next })}>Next page</a>}
    </nav>
  )

/** The id of the form that the checkboxes of all rows belong to. */
const SELECTION = 'selection'

export const SelectDocument = ({ document }: { document: Document }) => (
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

/** Deletes the selected documents, after a confirmation. */
export const DeleteSelected = ({ state: { search, sort } }: { state: ListState }) => (
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
