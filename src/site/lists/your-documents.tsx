import { Hono } from 'hono'
import { deleteOwnDocuments } from '../../documents/delete.ts'
import { documentsOf, MAX_SEARCH_CHARACTERS, SORTS, type Sort, totalOf } from '../../documents/lists.ts'
import type { AppEnv } from '../../env.ts'
import { limitBody } from '../../http/bodies.ts'
import { requireSession } from '../../http/identity.ts'
import { limitListSearches } from '../../http/limits.ts'
import { listRemovalsOfCreator } from '../../moderation/removals.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { readFieldLists } from '../layout/form.ts'
import { buildPath, PRIVATE_HEADERS, page, seeOther, YOUR_DOCUMENTS_PATH } from '../layout/page.tsx'

export interface ListState {
  readonly shared: boolean
  readonly search: string
  readonly sort: Sort
  readonly cursor: string | undefined
}

const isSort = (candidate: string | undefined): candidate is Sort => SORTS.some((sort) => sort === candidate)

function parseListState(query: (name: string) => string | undefined): ListState {
  const sort = query('sort')
  return {
    shared: query('view') === 'shared',
    search: [...(query('search') ?? '')].slice(0, MAX_SEARCH_CHARACTERS).join(''),
    sort: isSort(sort) ? sort : 'newest',
    cursor: query('cursor') || undefined,
  }
}

export const getListPath = ({ shared = false, search, sort, cursor }: Partial<ListState>): string =>
  buildPath(YOUR_DOCUMENTS_PATH, {
    view: shared ? 'shared' : undefined,
    search,
    sort: sort === 'newest' ? undefined : sort,
    cursor,
  })

const loadPages = () => import('./your-documents.lazy.tsx')

const PAGE_SIZE = 100
/** More than the ids of several pages take. */
const MAX_FORM_BYTES = 64 * 1024

const MAX_REMOVALS = 20
const NO_REMOVALS = { items: [] }

export const yourDocuments = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .get('/', limitListSearches, async (c) => {
    const { now, store, user } = c.var
    const state = parseListState((name) => c.req.query(name))
    const { shared, ...query } = state
    const options = { scope: shared ? 'shared' : 'created', ...query, limit: PAGE_SIZE, now } as const
    const [[list, total], removals] = await Promise.all([
      store.db.ask(documentsOf(user, options), totalOf(user, options)),
      // Removals are on the first page only, and not in search results.
      shared || query.cursor || query.search
        ? NO_REMOVALS
        : listRemovalsOfCreator(store.db, user.id, { limit: MAX_REMOVALS }),
    ])
    const { ListPage } = await loadPages()
    return page(
      c,
      <ListPage
        {...list}
        total={total}
        state={state}
        now={now}
        getViews={({ id, views }) => store.views.current(id, views)}
        removals={removals.items}
      />,
      { headers: PRIVATE_HEADERS },
    )
  })
  .post('/delete', limitBody(MAX_FORM_BYTES), async (c) => {
    const fields = await readFieldLists(c)
    const ids = fields.get('id') ?? []
    if (ids.length === 0) {
      const { NothingSelectedPage } = await loadPages()
      return page(c, <NothingSelectedPage />, { status: 400, headers: PRIVATE_HEADERS })
    }
    await deleteOwnDocuments(c.var.store, ids, c.var.user)
    const state = parseListState((name) => fields.get(name)?.[0])
    return seeOther(c, getListPath({ ...state, cursor: undefined }))
  })
