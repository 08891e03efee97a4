import { MAX_SEARCH_CHARACTERS } from '../../documents/list.ts'
import type { Document } from '../../documents/model/document.ts'
import { SORTS, type Sort } from '../../documents/sql/lists.ts'
import { CancelButton, OpenButton } from '../components/confirmation.tsx'
import { Icon } from '../components/icon.tsx'
import { YOUR_DOCUMENTS_PATH } from '../layout/paths.ts'
import { getDisplayName } from './document-table.tsx'

const DELETE_PATH = `${YOUR_DOCUMENTS_PATH}/delete`

/** Which list is shown, and which part of it. */
export interface ListState {
  /** Whether it lists the documents shared with the user instead of their own. */
  readonly shared: boolean
  readonly search: string
  readonly sort: Sort
  readonly cursor: string | undefined
}

const isSort = (candidate: string | undefined): candidate is Sort => SORTS.some((sort) => sort === candidate)

/** Parses the state from a query string or a form. Values that make no sense are ignored. */
export function parseListState(query: (name: string) => string | undefined): ListState {
  const sort = query('sort')
  return {
    shared: query('view') === 'shared',
    search: [...(query('search') ?? '')].slice(0, MAX_SEARCH_CHARACTERS).join(''),
    sort: isSort(sort) ? sort : 'newest',
    cursor: query('cursor') || undefined,
  }
}

/** Returns the path of a list. */
export function buildListPath({ shared, search, sort, cursor }: ListState): string {
  const query = new URLSearchParams({
    ...(shared && { view: 'shared' }),
    ...(search !== '' && { search }),
    ...(sort !== 'newest' && { sort }),
    ...(cursor !== undefined && { cursor }),
  })
  return query.size === 0 ? YOUR_DOCUMENTS_PATH : `${YOUR_DOCUMENTS_PATH}?${query}`
}

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
