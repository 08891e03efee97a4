import { MAX_SEARCH_CHARACTERS } from '../../documents/list.ts'
import type { Document } from '../../documents/model/document.ts'
import { SORTS, type Sort } from '../../documents/sql/lists.ts'
import { CancelButton, OpenButton } from '../components/confirmation.tsx'
import { nameOf } from './document-table.tsx'

export const LISTS_PATH = '/account/documents'
const DELETE_PATH = `${LISTS_PATH}/delete`

/** Which list is looked at, and where in it. */
export interface ListState {
  /** The documents that somebody else made; otherwise those of one's own. */
  readonly shared: boolean
  readonly search: string
  readonly sort: Sort
  readonly cursor: string | undefined
}

const isSort = (candidate: string | undefined): candidate is Sort => SORTS.some((sort) => sort === candidate)

/** Takes what an address, or a form, says; what makes no sense is as if it were not there. */
export function readListState(query: (name: string) => string | undefined): ListState {
  const sort = query('sort')
  return {
    shared: query('view') === 'shared',
    search: [...(query('search') ?? '')].slice(0, MAX_SEARCH_CHARACTERS).join(''),
    sort: isSort(sort) ? sort : 'newest',
    cursor: query('cursor') || undefined,
  }
}

/** The address of a list. */
export function listPath({ shared, search, sort, cursor }: ListState): string {
  const query = new URLSearchParams({
    ...(shared && { view: 'shared' }),
    ...(search !== '' && { search }),
    ...(sort !== 'newest' && { sort }),
    ...(cursor !== undefined && { cursor }),
  })
  return query.size === 0 ? LISTS_PATH : `${LISTS_PATH}?${query}`
}

const SORT_NAMES = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  expiring: 'Expiring soonest',
  largest: 'Largest first',
  viewed: 'Most viewed',
  title: 'Title',
} as const satisfies Record<Sort, string>

/** Searches and sorts, from the first page on. */
export const ListForm = ({ state: { shared, search, sort } }: { state: ListState }) => (
  <search>
    <form method="get" action={LISTS_PATH} class="list-form">
      {shared && <input type="hidden" name="view" value="shared" />}
      <div>
        <label for="search">Search titles</label>
        <input
          type="search"
          id="search"
          name="search"
          value={search}
          maxlength={MAX_SEARCH_CHARACTERS}
          autocomplete="off"
        />
      </div>
      <div>
        <label for="sort">Sort by</label>
        <select id="sort" name="sort">
          {SORTS.map((name) => (
            <option value={name} selected={name === sort}>
              {SORT_NAMES[name]}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" class="quiet">
        Show
      </button>
    </form>
  </search>
)

export const PageLinks = ({ state, next }: { state: ListState; next: string | null }) =>
  state.cursor === undefined && next === null ? null : (
    <nav aria-label="Pages" class="actions">
      {state.cursor !== undefined && <a href={listPath({ ...state, cursor: undefined })}>First page</a>}
      {next !== null && <a href={listPath({ ...state, cursor: next })}>Next page</a>}
    </nav>
  )

/** The form that the boxes of all rows belong to, wherever they stand. */
const SELECTION = 'selection'

export const SelectDocument = ({ document }: { document: Document }) => (
  <input
    type="checkbox"
    name="id"
    value={document.id}
    form={SELECTION}
    // A browser that restores boxes on reloading may find another document in this place.
    autocomplete="off"
    aria-label={`Select ${nameOf(document)}`}
  />
)

/** Deletes what is selected, and asks before. */
export const DeleteSelected = ({ state: { search, sort } }: { state: ListState }) => (
  <>
    <OpenButton id="delete-selected">Delete selected</OpenButton>
    <dialog id="delete-selected" popover="auto" aria-labelledby="delete-selected-title">
      <h2 id="delete-selected-title">Delete what is selected?</h2>
      <form method="post" action={DELETE_PATH} id={SELECTION}>
        <input type="hidden" name="search" value={search} />
        <input type="hidden" name="sort" value={sort} />
        <p>The links of these documents stop working, and nobody can bring them back.</p>
        <button type="submit" class="danger">
          Delete
        </button>
      </form>
      <CancelButton id="delete-selected" />
    </dialog>
  </>
)
