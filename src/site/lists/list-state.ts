import { MAX_SEARCH_CHARACTERS } from '../../documents/list.ts'
import { SORTS, type Sort } from '../../documents/sql/lists.ts'
import { YOUR_DOCUMENTS_PATH } from '../layout/paths.ts'

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
