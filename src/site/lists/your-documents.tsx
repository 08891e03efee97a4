import { Hono } from 'hono'
import { removeDocuments } from '../../documents/delete.ts'
import { type ListedDocuments, listDocuments } from '../../documents/list.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { limitBody } from '../../http/body-limit.ts'
import { requireSession } from '../../http/require-session.ts'
import { listRemovalsOfCreator, type Removal } from '../../moderation/removals.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Time } from '../components/time.tsx'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { readFieldLists } from '../layout/form.ts'
import { Layout, Notice } from '../layout/layout.tsx'
import { page } from '../layout/page.tsx'
import { SHARED_DOCUMENTS_PATH, YOUR_DOCUMENTS_PATH } from '../layout/paths.ts'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { type Column, DocumentTable, getDisplayName } from './document-table.tsx'
import {
  buildListPath,
  DeleteSelected,
  ListForm,
  type ListState,
  PageLinks,
  parseListState,
  SelectDocument,
} from './list-controls.tsx'

/** Documents on a page. */
const PAGE_SIZE = 25
/** More than the ids of any page take. */
const MAX_FORM_BYTES = 16 * 1024

const MAX_REMOVALS = 20
const NO_REMOVALS = { items: [] }

const SHARED_COLUMNS: readonly Column[] = [
  { title: 'Author', cell: ({ creator }) => creator?.username ?? 'Deleted account' },
  {
    title: 'Leave',
    cell: (document) => (
      <ConfirmationButton
        id={`leave-${document.id}`}
        title={`Leave “${getDisplayName(document)}”?`}
        button="Leave"
        action={`/${document.id}/editors/leave`}
      >
        <p>You’ll no longer be able to edit it. Only the author can add you again.</p>
      </ConfirmationButton>
    ),
  },
]

interface ListPageProps extends ListedDocuments {
  readonly state: ListState
  readonly now: number
  readonly getViews: (document: ListedDocuments['documents'][number]) => number
  readonly removals: readonly Removal[]
}

const NothingListed = ({ state: { shared, search } }: { state: ListState }) => {
  if (search !== '')
    return (
      <EmptyState
        icon="search"
        title={
          <>
            No titles contain “<bdi>{search}</bdi>”
          </>
        }
      >
        <p>Search looks at titles, not at text.</p>
        <a
          class="button quiet"
          href={buildListPath({ shared, search: '', sort: 'newest', cursor: undefined })}
        >
          Show all
        </a>
      </EmptyState>
    )
  if (shared)
    return (
      <EmptyState icon="users" title="Nobody has shared a document with you yet">
        <p>When someone adds you as an editor, their document appears here.</p>
      </EmptyState>
    )
  return (
    <EmptyState icon="document" title="No documents yet">
      <p>Documents you create while you’re signed in appear here.</p>
      <a class="button" href="/">
        Create a document
      </a>
    </EmptyState>
  )
}

const Removed = ({ removals }: { removals: readonly Removal[] }) => (
  <section class="section" aria-labelledby="removed">
    <h2 id="removed">Removed by the operator</h2>
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

const ListPage = ({ state, documents, cursor, getViews, removals, now }: ListPageProps) => (
  <Layout title={state.shared ? 'Shared with you' : 'Your documents'} signedIn scripts={[SCRIPTS.submitOnce]}>
    <h1>{state.shared ? 'Shared with you' : 'Your documents'}</h1>
    <nav aria-label="Lists" class="actions tabs">
      <a href={YOUR_DOCUMENTS_PATH} aria-current={state.shared ? undefined : 'page'}>
        Your documents
      </a>
      <a href={SHARED_DOCUMENTS_PATH} aria-current={state.shared ? 'page' : undefined}>
        Shared with you
      </a>
    </nav>
    {(documents.length > 0 || state.search !== '') && <ListForm state={state} />}
    {documents.length === 0 && <NothingListed state={state} />}
    {documents.length > 0 && (
      <DocumentTable
        documents={documents}
        getViews={getViews}
        now={now}
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
  <Notice title="Nothing selected" signedIn>
    <p>
      Go back to <a href={YOUR_DOCUMENTS_PATH}>your documents</a> and select the ones to delete.
    </p>
  </Notice>
)

/** Redirects to the list that a form was sent from, on its first page. */
const redirectToList = (c: AppContext, query: (name: string) => string | undefined) =>
  seeOther(c, buildListPath({ ...parseListState(query), cursor: undefined }))

/** The documents of the user, and those shared with them. */
export const yourDocuments = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .get('/', async (c) => {
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
    if (ids.length === 0)
      return page(c, NOTHING_SELECTED, {
        status: 400,
        headers: PRIVATE_HEADERS,
      })
    await removeDocuments(c.var.store, ids, c.var.user)
    return redirectToList(c, (name) => fields.get(name)?.[0])
  })
