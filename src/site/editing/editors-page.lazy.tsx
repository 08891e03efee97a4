import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/document.ts'
import { MAX_EDITORS } from '../../shared/settings.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { Problem } from '../layout/errors.tsx'
import { Layout } from '../layout/layout.tsx'

const EditorList = ({ document: { id, editors }, mayRemove }: { document: Document; mayRemove: boolean }) =>
  editors.length === 0 ? (
    <p>Only you can edit this document.</p>
  ) : (
    <ul class="rows">
      {editors.map((editor) => (
        <li>
          <span>{editor.username}</span>
          {mayRemove && (
            <form method="post" action={`/${id}/editors/remove`} class="inline">
              <input type="hidden" name="editor" value={editor.id} />
              <button type="submit" class="quiet" aria-label={`Remove ${editor.username}`}>
                Remove
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  )

const AddForm = ({ id, username, problem }: { id: string; username: string; problem: Child | undefined }) => (
  <form method="post" action={`/${id}/editors/add`}>
    {problem && <Problem>{problem}</Problem>}
    <label for="username">Username</label>
    <input
      id="username"
      name="username"
      value={username}
      required
      maxlength={30}
      list="usernames"
      data-complete
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-invalid={problem ? 'true' : undefined}
      aria-describedby={problem ? 'problem' : 'add-hint'}
    />
    <datalist id="usernames" />
    <p class="hint" id="add-hint">
      Editors can change the text and the settings, but can’t delete the document or add editors. A document
      can have up to {MAX_EDITORS} editors.
    </p>
    <button type="submit">Add editor</button>
  </form>
)

interface EditorsPageProps {
  readonly document: Document
  readonly isCreator: boolean
  readonly username?: string
  readonly problem?: Child
}

export const EditorsPage = ({ document, isCreator: own, username = '', problem }: EditorsPageProps) => (
  <Layout
    title={`Editors of ${document.id}`}
    signedIn
    scripts={own ? [SCRIPTS.submitOnce, SCRIPTS.usernameCompletion] : [SCRIPTS.submitOnce]}
  >
    <h1>Editors of {document.id}</h1>
    <p>
      {own
        ? 'You created this document.'
        : document.creator
          ? `${document.creator.username} created this document.`
          : 'The account that created this document was deleted.'}
    </p>
    <EditorList document={document} mayRemove={own} />
    {own ? (
      <AddForm id={document.id} username={username} problem={problem} />
    ) : (
      <ConfirmationButton
        id="leave"
        title="Leave this document?"
        button="Leave document"
        action={`/${document.id}/editors/leave`}
      >
        <p>You’ll no longer be able to edit it. Only the author can add you again.</p>
      </ConfirmationButton>
    )}
    <p>
      <a href={`/${document.id}`}>Back to the document</a>
    </p>
  </Layout>
)
