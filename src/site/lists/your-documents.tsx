import { Hono } from 'hono'
import { removeDocuments } from '../../documents/delete.ts'
import { listDocuments } from '../../documents/list.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { limitBody } from '../../http/bodies/body-limit.ts'
import { requireSession } from '../../http/identity/require-session.ts'
import { limitListSearches } from '../../http/limits/limit-requests.ts'
import { listRemovalsOfCreator } from '../../moderation/removals.ts'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { readFieldLists } from '../layout/form.ts'
import { page } from '../layout/page.tsx'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { buildListPath, parseListState } from './list-state.ts'

/** Loads the pages when someone opens one: reading a document needs none of them. */
const loadPages = () => import('./list-page.tsx')

/** Documents on a page. */
const PAGE_SIZE = 25
/** More than the ids of any page take. */
const MAX_FORM_BYTES = 16 * 1024

const MAX_REMOVALS = 20
const NO_REMOVALS = { items: [] }

/** Redirects to the list that a form was sent from, on its first page. */
const redirectToList = (c: AppContext, query: (name: string) => string | undefined) =>
  seeOther(c, buildListPath({ ...parseListState(query), cursor: undefined }))

/** The documents of the user, and those shared with them. */
export const yourDocuments = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .get('/', limitListSearches, async (c) => {
    const { now, store, user } = c.var
    const state = parseListState((name) => c.req.query(name))
    const { shared, ...query } = state
    const scope = shared ? 'shared' : 'created'
    const [list, removals] = await Promise.all([
      listDocuments(store, user, { scope, ...query, limit: PAGE_SIZE, now }),
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
    await removeDocuments(c.var.store, ids, c.var.user)
    return redirectToList(c, (name) => fields.get(name)?.[0])
  })
