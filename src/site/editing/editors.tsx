import { type Context, Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { authorizeSettings } from '../../accounts/authorization.ts'
import { addEditor, removeEditor } from '../../documents/editors.ts'
import { leaveDocument } from '../../documents/leave.ts'
import { type Document, isCreator, mayEdit } from '../../documents/model/document.ts'
import { requireDocument } from '../../documents/read.ts'
import type { AppEnv, UserEnv } from '../../env.ts'
import { editNotAllowed } from '../../errors.ts'
import { limitBody } from '../../http/body-limit.ts'
import { requireSession } from '../../http/require-session.ts'
import { MAX_EDITORS } from '../../shared/settings.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { readFields } from '../layout/form.ts'
import { Layout } from '../layout/layout.tsx'
import { page } from '../layout/page.tsx'
import { SHARED_DOCUMENTS_PATH } from '../layout/paths.ts'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { formatProblem, Problem } from '../layout/problem.tsx'
import { submitForm } from '../layout/submit-form.ts'

/** More than a username and an account's id take. */
const MAX_FORM_BYTES = 4 * 1024

interface EditorListProps {
  readonly document: Document
  readonly mayRemove: boolean
}

const EditorList = ({ document: { id, editors }, mayRemove }: EditorListProps) =>
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

interface AddFormProps {
  readonly id: string
  readonly username: string
  readonly problem: Child | undefined
}

const AddForm = ({ id, username, problem }: AddFormProps) => (
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
  /** Whether the viewer is the creator; otherwise they are an editor. */
  readonly isCreator: boolean
  readonly username?: string
  readonly problem?: Child
}

const EditorsPage = ({ document, isCreator: own, username = '', problem }: EditorsPageProps) => (
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

/** Returns a document that the user may edit. Throws `not_found` or `bad_auth`. */
async function requireEditable(c: Context<UserEnv>, id: string): Promise<Document> {
  const document = await requireDocument(c.var.store, id, c.var.now)
  if (!mayEdit(document, c.var.user)) throw editNotAllowed()
  return document
}

export const editors = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use('/:id/editors/*', requireSession)
  .get('/:id/editors', async (c) => {
    const document = await requireEditable(c, c.req.param('id'))
    return page(c, <EditorsPage document={document} isCreator={isCreator(document, c.var.user)} />, {
      headers: PRIVATE_HEADERS,
    })
  })
  .post('/:id/editors/add', limitBody(MAX_FORM_BYTES), async (c) => {
    const { now, store, user } = c.var
    const id = c.req.param('id')
    const username = ((await readFields(c)).get('username') ?? '').trim()
    return submitForm(c, {
      submit: async () => {
        authorizeSettings(user, true)
        await addEditor(store, id, username, { viewer: user, now })
        return seeOther(c, `/${id}/editors`)
      },
      showAgain: async (error, options) => {
        const document = await requireEditable(c, id)
        if (!isCreator(document, user)) throw error
        const again = (
          <EditorsPage document={document} isCreator username={username} problem={formatProblem(error)} />
        )
        return page(c, again, options)
      },
    })
  })
  .post('/:id/editors/remove', limitBody(MAX_FORM_BYTES), async (c) => {
    const { now, store, user } = c.var
    const id = c.req.param('id')
    const editor = { id: (await readFields(c)).get('editor') ?? '' }
    await removeEditor(store, id, editor, { viewer: user, now })
    return seeOther(c, `/${id}/editors`)
  })
  .post('/:id/editors/leave', async (c) => {
    const { now, store, user } = c.var
    const id = c.req.param('id')
    await leaveDocument(store, id, { viewer: user, now })
    return seeOther(c, SHARED_DOCUMENTS_PATH)
  })
