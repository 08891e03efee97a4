import { Hono } from 'hono'
import { removeDocuments } from '../../documents/delete.ts'
import { type ListedDocuments, listDocuments } from '../../documents/list.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { limitBody } from '../../http/body-limit.ts'
import { requireSession } from '../../http/require-session.ts'
import { listRemovalsOfCreator, type Removal } from '../../moderation/removals.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { Time } from '../components/time.tsx'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { readFieldLists } from '../layout/form.ts'
import { Layout, Notice } from '../layout/layout.tsx'
import { page } from '../layout/page.tsx'
import { type Column, DocumentTable, nameOf } from './document-table.tsx'
import {
  DeleteSelected,
  LISTS_PATH,
  ListForm,
  type ListState,
  listPath,
  PageLinks,
  readListState,
  SelectDocument,
} from './list-controls.tsx'

/** Documents of a page. */
const LISTED = 25
/** More than the ids of any page take. */
const MOST_FORM_BYTES = 16 * 1024

const REMOVALS_LISTED = 20
const NONE = { items: [] }

const SHARED_COLUMNS: readonly Column[] = [
  { title: 'Creator', cell: ({ creator }) => creator?.username ?? 'nobody' },
  {
    title: 'Leave',
    cell: (document) => (
      <ConfirmationButton
        id={`leave-${document.id}`}
        title={`Leave “${nameOf(document)}”?`}
        button="Leave"
        action={`/${document.id}/editors/leave`}
      >
        <p>You can not edit it any more, until its creator lets you.</p>
      </ConfirmationButton>
    ),
  },
]

interface ListPageProps extends ListedDocuments {
  readonly state: ListState
  readonly viewsOf: (document: ListedDocuments['documents'][number]) => number
  readonly removals: readonly Removal[]
}

const NothingListed = ({ state: { shared, search } }: { state: ListState }) => {
  if (search !== '')
    return (
      <p class="empty">
        No title has “<bdi>{search}</bdi>” in it.
      </p>
    )
  if (shared) return <p class="empty">Nobody has made you an editor of a document.</p>
  return (
    <p class="empty">
      There is nothing yet. <a href="/">Write a document</a>.
    </p>
  )
}

const Removed = ({ removals }: { removals: readonly Removal[] }) => (
  <section class="section" aria-labelledby="removed">
    <h2 id="removed">Removed by the people who run this site</h2>
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

const ListPage = ({ state, documents, cursor, viewsOf, removals }: ListPageProps) => (
  <Layout title={state.shared ? 'Shared with you' : 'Your documents'} signedIn scripts={[SCRIPTS.submitOnce]}>
    <h1>{state.shared ? 'Shared with you' : 'Your documents'}</h1>
    <nav aria-label="Lists" class="actions tabs">
      <a href={LISTS_PATH} aria-current={state.shared ? undefined : 'page'}>
        Your documents
      </a>
      <a href={`${LISTS_PATH}?view=shared`} aria-current={state.shared ? 'page' : undefined}>
        Shared with you
      </a>
    </nav>
    <ListForm state={state} />
    {documents.length === 0 && <NothingListed state={state} />}
    {documents.length > 0 && (
      <DocumentTable
        documents={documents}
        viewsOf={viewsOf}
        {...(state.shared
          ? { last: SHARED_COLUMNS }
          : { first: { title: 'Select', cell: (document) => <SelectDocument document={document} /> } })}
      />
    )}
    {documents.length > 0 && !state.shared && <DeleteSelected state={state} />}
    <PageLinks state={state} next={cursor} />
    {removals.length > 0 && <Removed removals={removals} />}
  </Layout>
)

const NOTHING_SELECTED = (
  <Notice title="Nothing is selected" signedIn>
    <p>
      Select what is to be deleted in <a href={LISTS_PATH}>your documents</a>.
    </p>
  </Notice>
)

/** Pages of one's own are kept nowhere. */
const headers = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

/** Back to where a form was sent from, on its first page. */
const back = (c: AppContext, query: (name: string) => string | undefined) =>
  seeOther(c, listPath({ ...readListState(query), cursor: undefined }))

/** The documents of whoever is signed in. */
export const yourDocuments = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .get('/', async (c) => {
    const { now, store, user } = c.var
    const state = readListState((name) => c.req.query(name))
    const { shared, ...query } = state
    const scope = shared ? 'shared' : 'created'
    const [list, removals] = await Promise.all([
      listDocuments(store, user, { scope, ...query, limit: LISTED, now }),
      // What was removed stands on the first page, where nobody looks for anything else.
      shared || query.cursor || query.search
        ? NONE
        : listRemovalsOfCreator(store.db, user.id, { limit: REMOVALS_LISTED }),
    ])
    return page(
      c,
      <ListPage
        {...list}
        state={state}
        viewsOf={({ id, views }) => store.views.current(id, views)}
        removals={removals.items}
      />,
      { headers },
    )
  })
  .post('/delete', limitBody(MOST_FORM_BYTES), async (c) => {
    const fields = await readFieldLists(c)
    const ids = fields.get('id') ?? []
    if (ids.length === 0) return page(c, NOTHING_SELECTED, { status: 400, headers })
    await removeDocuments(c.var.store, ids, c.var.user)
    return back(c, (name) => fields.get(name)?.[0])
  })
