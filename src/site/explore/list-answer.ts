import type { Document } from '../../documents/model/document.ts'
import type { AppContext } from '../../env.ts'
import type { PublicListState } from './list-state.ts'

/** Documents on a page. */
export const PAGE_SIZE = 25
/** Documents in a feed. */
export const FEED_SIZE = 50

/** Returns a function that returns the current number of views. */
export const getViews =
  ({ var: { store } }: AppContext) =>
  ({ id, views }: Document): number =>
    store.views.current(id, views)

/**
 * Returns the headers of a page. A document that is deleted must be gone from the next answer. Search engines should
 * show neither results of a search nor pages whose documents move on.
 */
export const getListHeaders = ({ search, cursor }: PublicListState) => ({
  'Cache-Control': 'private, no-cache',
  ...((search !== '' || cursor !== undefined) && { 'X-Robots-Tag': 'noindex' }),
})
