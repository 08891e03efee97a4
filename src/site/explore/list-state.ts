import { MAX_SEARCH_CHARACTERS } from '../../documents/list.ts'
import { MAX_LANGUAGE_CHARACTERS } from '../../shared/settings.ts'

/** Which public documents are shown. */
export interface PublicListState {
  /** The name of a language; empty for all. */
  readonly language: string
  readonly search: string
  readonly cursor: string | undefined
}

const truncate = (text: string | undefined, characters: number): string =>
  [...(text ?? '')].slice(0, characters).join('')

/** Parses the state from a query string. */
export const parsePublicListState = (query: (name: string) => string | undefined): PublicListState => ({
  language: truncate(query('language'), MAX_LANGUAGE_CHARACTERS).toLowerCase(),
  search: truncate(query('search'), MAX_SEARCH_CHARACTERS),
  cursor: query('cursor') || undefined,
})

/** Returns the path of a list or feed. */
export function buildPublicListPath(path: string, state: Partial<PublicListState> = {}): string {
  const query = new URLSearchParams(
    Object.entries(state).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  return query.size === 0 ? path : `${path}?${query}`
}
