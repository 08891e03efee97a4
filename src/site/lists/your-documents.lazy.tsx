import { type Document, neverExpires } from '../../documents/document.ts'
import type { ListedDocuments } from '../../documents/lists.ts'
import type { Removal } from '../../moderation/removals.ts'
import { formatSize } from '../../shared/format.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { getAuthor, getLanguageLabel, Time } from '../components/facts.tsx'
import { Item, Items } from '../components/fields.tsx'
import { ConfirmationDialog } from '../components/form.tsx'
import { ToolLink, ToolOpener } from '../components/icons.tsx'
import { EmptyState, Layout, Notice } from '../layout/layout.tsx'
import { SHARED_DOCUMENTS_PATH, YOUR_DOCUMENTS_PATH } from '../layout/page.tsx'
import {
  type Column,
  CopyLink,
  Expiry,
  getBadges,
  getDisplayName,
  List,
  NothingFound,
  type Row,
  ShortTime,
  Views,
} from './list.tsx'
import { getListPath, type ListState } from './your-documents.tsx'

const AUTHOR: Column = { title: 'Author' }

const COLUMNS: readonly Column[] = [
  { title: 'Language' },
  { title: 'Views', sorts: ['viewed', 'viewed-least'] },
  { title: 'Size', sorts: ['largest', 'smallest'] },
  { title: 'Created', sorts: ['newest', 'oldest'] },
  { title: 'Expires', sorts: ['expiring', 'expiring-last'] },
]

interface ListPageProps extends ListedDocuments {
  readonly state: ListState
  readonly total: number
  readonly now: number
  readonly getViews: (document: Document) => number
  readonly removals: readonly Removal[]
}

/** The author deletes a document, and an editor leaves it. */
const getMenu = (shared: boolean) => (id: string) => (
  <>
    <CopyLink />
    <ToolLink icon="edit" name="Edit" href={`/${id}/edit`} inMenu />
    {shared ? (
      <ToolOpener icon="sign-out" name="Leave" opens={`leave-${id}`} inMenu />
    ) : (
      <ToolLink icon="trash" name="Delete" href={`/${id}/delete`} class="danger" inMenu />
    )}
  </>
)

function toRow(document: Document, { state: { shared }, getViews, now }: ListPageProps): Row {
  const { id, contentBytes, createdAt, expiresAt } = document
  const name = getDisplayName(document)
  const cells = [
    getLanguageLabel(document),
    <Views views={getViews(document)} />,
    formatSize(contentBytes),
    <ShortTime at={createdAt} now={now} />,
    <Expiry at={neverExpires(document) ? null : expiresAt} now={now} />,
  ]
  return {
    id,
    href: `/${id}`,
    name,
    badges: getBadges(document),
    cells: shared ? [getAuthor(document), ...cells] : cells,
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
    <h2 id="removed">Removed by moderators</h2>
    <Items>
      {removals.map(({ documentId, title, removedAt, reason }) => (
        <Item title={<bdi>{title ?? documentId}</bdi>} text={[<Time at={removedAt} />]} quote={reason} />
      ))}
    </Items>
  </section>
)

export const ListPage = (props: ListPageProps) => {
  const { state, documents, cursor, total, removals } = props
  const { shared, search, sort } = state
  const title = shared ? 'Shared with you' : 'Your documents'
  return (
    <Layout title={title} signedIn scripts={[SCRIPTS.submitOnce]}>
      <h1>{title}</h1>
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
        rows={documents.map((document) => toRow(document, props))}
        menu={getMenu(shared)}
        total={total}
        isFirstPage={state.cursor === undefined}
        next={cursor}
        empty={<NothingListed state={state} />}
        {...(!shared && {
          selection: {
            button: 'Delete selected',
            title: 'Delete the selected documents?',
            action: `${YOUR_DOCUMENTS_PATH}/delete`,
            fields: { search, sort },
            text: 'Their links will stop working. You can’t undo this.',
          },
        })}
      />
      {removals.length > 0 && <Removed removals={removals} />}
    </Layout>
  )
}

export const NothingSelectedPage = () => (
  <Notice title="Nothing selected" signedIn>
    <p>
      Go back to <a href={YOUR_DOCUMENTS_PATH}>your documents</a> and select the ones to delete.
    </p>
  </Notice>
)
