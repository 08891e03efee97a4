import { CancelButton, Dialog } from '../ui/form.tsx'
import { ToolButton, ToolLink } from '../ui/icons.tsx'
import { EmptyState, Layout } from '../ui/layout.tsx'
import { BarButton, type Column, CopyLink, List, type Selection } from '../ui/list.tsx'
import { DEVICE_PATH } from '../ui/page.tsx'

const COLUMNS: readonly Column[] = [
  { title: 'Created', sorts: ['newest', 'oldest'] },
  { title: 'Expires', sorts: ['expiring', 'expiring-last'] },
]

const SELECTION: Selection = {
  button: 'Delete selected',
  title: 'Delete the selected documents?',
  action: DEVICE_PATH,
  fields: {},
  more: (
    <>
      <BarButton icon="download" name="Download" action="download" />
      <BarButton icon="eye-off" name="Forget" action="forget" />
    </>
  ),
  text: 'Shared links will stop working. You can’t undo this.',
}

/** The script fills it in for each document. */
const ROW = {
  id: 'id',
  href: '/',
  name: 'Untitled',
  cells: [
    <span data-part="created" />,
    <>
      <span class="unit">expires </span>
      <span data-part="expires" />
    </>,
  ],
}

const getMenu = () => (
  <>
    <CopyLink />
    <ToolButton icon="key" name="Copy management link" tool="copy-management-link" inMenu />
    <ToolLink icon="edit" name="Edit" href="/edit" inMenu />
    <hr />
    <ToolButton icon="eye-off" name="Forget" tool="forget" inMenu />
    <ToolLink icon="trash" name="Delete" href="/delete" class="danger" inMenu />
  </>
)

const ForgetDialog = () => (
  <Dialog id="forget" title="Forget this document?">
    <div class="stack">
      <p>
        What you forget stays until it expires, but you can no longer edit or delete it in this browser. You
        can still use management links that you copied.
      </p>
      <div class="row end">
        <CancelButton id="forget" />
        <button type="button" class="danger" data-part="confirm">
          Forget
        </button>
      </div>
    </div>
  </Dialog>
)

/** Only the page's script knows the documents. */
export const DevicePage = ({ signedIn, deleted }: { signedIn: boolean; deleted: boolean }) => (
  <Layout title="Your documents" signedIn={signedIn}>
    <h1>Your documents</h1>
    {deleted && (
      <p class="banner" role="status">
        Document deleted. <a href="/">Create a document</a>
      </p>
    )}
    <div id="device" data-signed-in={signedIn}>
      <noscript>
        <p>
          Your browser keeps the list of documents that you created without an account. The page needs
          JavaScript to show it. Without JavaScript, use the management links that you kept.
        </p>
      </noscript>
    </div>
    <template id="device-list">
      <div>
        <p>
          You created these documents without an account. Only this browser and their management links can
          edit and delete them.
          {!signedIn && (
            <>
              {' '}
              To use them on every device, <a href="/sign-in">sign in</a> and add them to your account.
            </>
          )}
        </p>
        <List
          label="Documents on this device"
          path={DEVICE_PATH}
          getPath={({ sort = '' }) => `${DEVICE_PATH}?sort=${sort}`}
          search=""
          filtered={false}
          sort="newest"
          columns={COLUMNS}
          rows={[ROW]}
          menu={getMenu}
          isFirstPage
          next={null}
          selection={SELECTION}
          empty={null}
        />
        <form method="post" action="/device/download" id="device-download">
          <input type="hidden" name="documents" />
        </form>
        <ForgetDialog />
      </div>
    </template>
    <template id="device-empty">
      <EmptyState icon="monitor" title="No documents on this device">
        <p>Documents you create in this browser without an account appear here.</p>
        <a class="button" href="/">
          Create a document
        </a>
      </EmptyState>
    </template>
  </Layout>
)
