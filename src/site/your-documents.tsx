import { type Context, Hono } from 'hono'
import { leaveDocument } from '../documents/leave.ts'
import { type DocumentPage, listDocuments } from '../documents/list.ts'
import { removeDocuments } from '../documents/remove.ts'
import type { AppEnv } from '../env.ts'
import { methodNotAllowed } from '../errors.ts'
import { requireSession } from '../middleware/session.ts'
import { ConfirmationButton } from './components/confirmation.tsx'
import { type Column, DocumentTable, nameOf } from './components/document-table.tsx'
import {
  DeleteSelected,
  LISTS_PATH,
  ListForm,
  type ListState,
  listPath,
  PageLinks,
  readListState,
  SelectDocument,
} from './components/list-controls.tsx'
import { formFields, formLimit, formValues } from './form.ts'
import { Layout, Notice } from './layout.tsx'
import { answerErrorPage, page, seeOther } from './respond.tsx'

/** Documents of a page. */
const LISTED = 25
/** More than the ids of any page take. */
const MOST_FORM_BYTES = 16 * 1024

const LEAVE_PATH = `${LISTS_PATH}/leave`

const SHARED_COLUMNS: readonly Column[] = [
  { title: 'Creator', cell: ({ creator }) => creator?.username ?? 'nobody' },
  {
    title: 'Leave',
    cell: (document) => (
      <ConfirmationButton
        id={`leave-${document.id}`}
        title={`Leave “${nameOf(document)}”?`}
        button="Leave"
        action={LEAVE_PATH}
      >
        <input type="hidden" name="id" value={document.id} />
        <p>You can not edit it any more, until its creator lets you.</p>
      </ConfirmationButton>
    ),
  },
]

interface ListPageProps extends DocumentPage {
  readonly state: ListState
  readonly viewsOf: (document: DocumentPage['documents'][number]) => number
}

const NothingListed = ({ state: { shared, search } }: { state: ListState }) => {
  if (search !== '')
    return (
      <p>
        No title has “<bdi>{search}</bdi>” in it.
      </p>
    )
  if (shared) return <p>Nobody has made you an editor of a document.</p>
  return (
    <p>
      There is nothing yet. <a href="/">Write a document</a>.
    </p>
  )
}

const ListPage = ({ state, documents, cursor, viewsOf }: ListPageProps) => (
  <Layout title={state.shared ? 'Shared with you' : 'Your documents'} signedIn>
    <h1>{state.shared ? 'Shared with you' : 'Your documents'}</h1>
    <nav aria-label="Lists" class="actions">
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
const back = (c: Context<AppEnv>, query: (name: string) => string | undefined) =>
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
    const list = await listDocuments(store, user, { scope, ...query, limit: LISTED, now })
    return page(
      c,
      <ListPage {...list} state={state} viewsOf={({ id, views }) => store.views.current(id, views)} />,
      { headers },
    )
  })
  .all('/', () => {
    throw methodNotAllowed('GET, HEAD')
  })
  .post('/delete', formLimit(MOST_FORM_BYTES), async (c) => {
    const fields = await formValues(c)
    const ids = fields.get('id') ?? []
    if (ids.length === 0) return page(c, NOTHING_SELECTED, { status: 400, headers })
    await removeDocuments(c.var.store, ids, c.var.user)
    return back(c, (name) => fields.get(name)?.[0])
  })
  .all('/delete', () => {
    throw methodNotAllowed('POST')
  })
  .post('/leave', formLimit(MOST_FORM_BYTES), async (c) => {
    const { now, store, user } = c.var
    await leaveDocument(store, (await formFields(c)).get('id') ?? '', { viewer: user, now })
    return seeOther(c, `${LISTS_PATH}?view=shared`)
  })
  .all('/leave', () => {
    throw methodNotAllowed('POST')
  })
