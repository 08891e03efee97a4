import { CancelButton, OpenButton } from '../site/components/confirmation.tsx'
import { EmptyState } from '../site/components/empty-state.tsx'
import { Layout } from '../site/layout/layout.tsx'

const Row = () => (
  <li>
    <span>
      <a href="/" data-part="title">
        Untitled
      </a>
      <br />
      <span class="hint">
        Created <span data-part="created" /> · expires <span data-part="expires" />
      </span>
    </span>
    <button type="button" class="link" data-part="forget">
      Forget
    </button>
    <span class="device-actions">
      <a class="button quiet" href="/" data-part="edit">
        Edit
      </a>
      <a class="button quiet" href="/" data-part="delete">
        Delete
      </a>
      <button type="button" class="quiet" data-part="copy">
        Copy management link
      </button>
    </span>
  </li>
)

const ForgetDialog = () => (
  <dialog id="forget" aria-labelledby="forget-title">
    <h2 id="forget-title">Forget this document?</h2>
    <p>
      The document stays until it expires, but you can no longer edit or delete it in this browser. A
      management link that you copied still lets you.
    </p>
    <button type="button" class="danger" data-part="confirm">
      Forget
    </button>
    <CancelButton id="forget" />
  </dialog>
)

const DeleteDialog = () => (
  <dialog id="delete-all" popover="auto" aria-labelledby="delete-all-title">
    <h2 id="delete-all-title">Delete all these documents?</h2>
    <p>Nobody can read them any more. You can’t undo this.</p>
    <button type="button" class="danger" data-part="confirm">
      Delete all
    </button>
    <CancelButton id="delete-all" />
  </dialog>
)

/** Only the page's script knows the documents. */
export const DevicePage = ({ signedIn, deleted }: { signedIn: boolean; deleted: boolean }) => (
  <Layout title="On this device" signedIn={signedIn}>
    <h1>On this device</h1>
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
              To use them on every device, <a href="/sign-up">sign up</a> and add them to your account.
            </>
          )}
        </p>
        <ul class="rows" />
        <form class="actions list-actions" method="post" action="/device/download">
          <input type="hidden" name="documents" />
          <button type="submit" class="quiet">
            Download all
          </button>
          <button type="button" class="quiet" data-part="forget-all">
            Forget all
          </button>
          <OpenButton id="delete-all">Delete all</OpenButton>
        </form>
        <p id="device-status" role="status" />
        <ForgetDialog />
        <DeleteDialog />
      </div>
    </template>
    <template id="device-row">
      <Row />
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
