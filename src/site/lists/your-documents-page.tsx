import type { Context } from 'hono'
import { deleteOwnDocuments } from '../../documents/delete.ts'
import { getNamedAddress, hasOpenContent, neverExpires } from '../../documents/document.ts'
import { readExcerpts } from '../../documents/excerpts.ts'
import {
  type ListedDocument,
  MAX_SEARCH_CHARACTERS,
  SORTS,
  type Sort,
  selectDocumentCount,
  selectDocuments,
} from '../../documents/lists.ts'
import type { UserEnv } from '../../env.ts'
import { listRemovalsOfCreator, type Removal } from '../../moderation/removals.ts'
import { answered } from '../../platform/database.ts'
import { getDisplayName } from '../../shared/derive-title.ts'
import { formatSize } from '../../shared/format.ts'
import { SCRIPTS } from '../../ui/assets.generated.ts'
import { Author, getLanguageLabel, StateBadges, Time } from '../../ui/facts.tsx'
import { Item, Items } from '../../ui/fields.tsx'
import { ConfirmationDialog } from '../../ui/form.tsx'
import { ToolLink, ToolOpener } from '../../ui/icons.tsx'
import { EmptyState, Layout, Notice } from '../../ui/layout.tsx'
import {
  type Column,
  CopyLink,
  List,
  NothingFound,
  type Row,
  ShortExpiry,
  ShortTime,
  ViewCount,
} from '../../ui/list.tsx'
import {
  buildPath,
  PRIVATE_HEADERS,
  page,
  SHARED_DOCUMENTS_PATH,
  seeOther,
  YOUR_DOCUMENTS_PATH,
} from '../../ui/page.tsx'
import { readFieldLists } from '../../ui/submitted-form.ts'

type ListContext = Context<UserEnv>

interface ListState {
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

const getListPath = ({ shared = false, search, sort, cursor }: Partial<ListState>): string =>
  buildPath(YOUR_DOCUMENTS_PATH, {
    view: shared ? 'shared' : undefined,
    search,
    sort: sort === 'newest' ? undefined : sort,
    cursor,
  })

const AUTHOR: Column = { title: 'Author' }

const COLUMNS: readonly Column[] = [
  { title: 'Language' },
  { title: 'Views', sorts: ['viewed', 'viewed-least'] },
  { title: 'Size', sorts: ['largest', 'smallest'] },
  { title: 'Created', sorts: ['newest', 'oldest'] },
  { title: 'Expires', sorts: ['expiring', 'expiring-last'] },
]

/** The author deletes a document, and an editor leaves it. */
const getMenu = (shared: boolean) => (id: string) => (
  <>
    <CopyLink />
    <ToolLink icon="edit" name="Edit" href={`/${id}/edit`} inMenu />
    {shared ? (
      <ToolOpener icon="sign-out" name="Leave" opens={`leave-${id}`} inMenu />
    ) : (
      <>
        <hr />
        <ToolLink icon="trash" name="Delete" href={`/${id}/delete`} class="danger" inMenu />
      </>
    )}
  </>
)

interface RowOptions {
  readonly shared: boolean
  readonly excerpts: ReadonlyMap<string, string>
}

function toRow(
  { var: { now, store } }: ListContext,
  document: ListedDocument,
  { shared, excerpts }: RowOptions,
): Row {
  const { id, contentBytes, createdAt, expiresAt, views } = document
  const name = getDisplayName(document)
  const cells = [
    getLanguageLabel(document),
    <ViewCount views={store.views.current(id, views)} />,
    formatSize(contentBytes),
    <ShortTime at={createdAt} now={now} />,
    <ShortExpiry at={neverExpires(document) ? null : expiresAt} now={now} />,
  ]
  return {
    id,
    href: `/${getNamedAddress(document) ?? id}`,
    name,
    badges: <StateBadges document={document} />,
    // One line: here, people look for a document that they know.
    excerpt: excerpts.get(id)?.split('\n', 1)[0],
    cells: shared ? [<Author document={document} />, ...cells] : cells,
    dialogs: shared && (
      <ConfirmationDialog
        id={`leave-${id}`}
        title={`Leave “${name}”?`}
        button="Leave"
        action={`/${id}/editors/leave`}
      >
        <p>You’ll no longer be able to edit it. Only the author can add you again.</p>
      </ConfirmationDialog>
    ),
  }
}

const NothingListed = ({ state: { shared, search } }: { state: ListState }) => {
  if (search !== '')
    return (
      <NothingFound
        title={
          <>
            No titles contain “<bdi>{search}</bdi>”
          </>
        }
        all={getListPath({ shared })}
      />
    )
  if (shared)
    return (
      <EmptyState icon="users" title="Nothing shared with you yet">
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
    <h2 id="removed">Removed by moderators</h2>
    <Items>
      {removals.map(({ documentId, title, removedAt, reason }) => (
        <Item title={<bdi>{title ?? documentId}</bdi>} text={[<Time at={removedAt} />]} quote={reason} />
      ))}
    </Items>
  </section>
)

const PAGE_SIZE = 50

const MAX_REMOVALS = 20
const NO_REMOVALS = { items: [] }

export async function showYourDocuments(c: ListContext): Promise<Response> {
  const { now, store, user } = c.var
  const state = parseListState((name) => c.req.query(name))
  const { shared, ...query } = state
  const { search, sort } = query
  const options = { scope: shared ? 'shared' : 'created', ...query, limit: PAGE_SIZE, now } as const
  const [[{ documents, cursor, lookedAt }, total], removals] = await Promise.all([
    store.db.ask(
      selectDocuments(user, options),
      shared || search !== '' ? answered(null) : selectDocumentCount(user),
    ),
    // Removals are on the first page only, and not in search results.
    shared || query.cursor || search
      ? NO_REMOVALS
      : listRemovalsOfCreator(store.db, user.id, { limit: MAX_REMOVALS }),
  ])
  const excerpts = await readExcerpts(store.contents, documents.filter(hasOpenContent), now)
  const title = shared ? 'Shared with you' : 'Your documents'
  const listPage = (
    <Layout title={title} scripts={[SCRIPTS.form]}>
      <h1 class="visually-hidden">{title}</h1>
      <nav aria-label="Lists" class="segments">
        <a href={YOUR_DOCUMENTS_PATH} aria-current={shared ? undefined : 'page'}>
          Your documents
        </a>
        <a href={SHARED_DOCUMENTS_PATH} aria-current={shared ? 'page' : undefined}>
          Shared with you
        </a>
      </nav>
      <List
        label={title}
        path={YOUR_DOCUMENTS_PATH}
        getPath={(changes) => getListPath({ ...state, cursor: undefined, ...changes })}
        search={search}
        filtered={search !== ''}
        fields={shared ? { view: 'shared' } : {}}
        sort={sort}
        columns={shared ? [AUTHOR, ...COLUMNS] : COLUMNS}
        rows={documents.map((document) => toRow(c, document, { shared, excerpts }))}
        menu={getMenu(shared)}
        total={total}
        isFirstPage={query.cursor === undefined}
        next={cursor}
        lookedAt={lookedAt}
        empty={<NothingListed state={state} />}
        {...(!shared && {
          selection: {
            button: 'Delete selected',
            title: 'Delete the selected documents?',
            action: `${YOUR_DOCUMENTS_PATH}/delete`,
            fields: { search, sort },
            text: 'Shared links will stop working. You can’t undo this.',
          },
        })}
      />
      {removals.items.length > 0 && <Removed removals={removals.items} />}
    </Layout>
  )
  return page(c, listPage, { headers: PRIVATE_HEADERS })
}

export async function deleteSelected(c: ListContext): Promise<Response> {
  const fields = await readFieldLists(c)
  const ids = fields.get('id') ?? []
  if (ids.length === 0) {
    const problemPage = (
      <Notice title="Nothing selected">
        <p>
          Go back to <a href={YOUR_DOCUMENTS_PATH}>your documents</a> and select the ones to delete.
        </p>
      </Notice>
    )
    return page(c, problemPage, { status: 400, headers: PRIVATE_HEADERS })
  }
  await deleteOwnDocuments(c.var.store, ids, c.var.user)
  const state = parseListState((name) => fields.get(name)?.[0])
  return seeOther(c, getListPath({ ...state, cursor: undefined }))
}
