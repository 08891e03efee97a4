import type { Child } from 'hono/jsx'
import type { User } from '../../accounts/user.ts'
import { type Document, isCreator, mayEdit } from '../../documents/document.ts'
import { addEditor, removeEditor } from '../../documents/edit.ts'
import { leaveDocument, usersNamed } from '../../documents/editors.ts'
import { requireFound, visibleDocument } from '../../documents/read.ts'
import type { AppContext } from '../../env.ts'
import { editNotAllowed } from '../../errors.ts'
import type { AnswerOptions } from '../../http/answers.ts'
import { requireSessionUser } from '../../http/identity.ts'
import { limitEditors } from '../../http/limits.ts'
import { authorizeSettings } from '../../http/permissions.ts'
import { combine } from '../../platform/database.ts'
import { MAX_EDITORS } from '../../shared/settings.ts'
import { SCRIPTS } from '../../ui/assets.generated.ts'
import { formatProblem } from '../../ui/errors.tsx'
import { BackLink, Field, Item, Items } from '../../ui/fields.tsx'
import { ConfirmationButton, Form } from '../../ui/form.tsx'
import { Layout } from '../../ui/layout.tsx'
import { PRIVATE_HEADERS, page, SHARED_DOCUMENTS_PATH, seeOther } from '../../ui/page.tsx'
import { readFields, submitForm } from '../../ui/submitted-form.ts'

type EditorsContext = AppContext<'/:id/*'>

async function requireUserAndDocument(c: EditorsContext): Promise<{ user: User; document: Document }> {
  const { user, found } = await requireSessionUser(c, visibleDocument(c.req.param('id'), c.var.now))
  return { user, document: requireFound(found) }
}

interface TypedEditor {
  readonly username?: string
  readonly problem?: Child
}

const AddEditorForm = ({ id, username = '', problem }: TypedEditor & { readonly id: string }) => (
  <Form action={`/${id}/editors/add`} layout="field-row" button="Add editor">
    <Field
      label="Username"
      name="username"
      value={username}
      maxlength={30}
      list="usernames"
      data-complete
      hint={`Editors can change the text and the settings: they can also list the document publicly, let it expire later, and turn “Delete after first read” off. They can’t delete it or add editors. A document can have up to ${MAX_EDITORS} editors.`}
      problem={problem}
    >
      <datalist id="usernames" />
    </Field>
  </Form>
)

/** Only the creator adds and removes editors. */
export async function showEditors(
  c: EditorsContext,
  typed: TypedEditor = {},
  options: AnswerOptions = { headers: PRIVATE_HEADERS },
): Promise<Response> {
  const { user, document } = await requireUserAndDocument(c)
  if (!mayEdit(document, user)) throw editNotAllowed()
  const { id, title, creator, editors } = document
  const own = isCreator(document, user)
  const editorsPage = (
    <Layout title="Editors" scripts={[SCRIPTS.form]}>
      <div class="settings-page stack">
        <h1>Editors</h1>
        <p class="facts-line">
          <span>
            <a href={`/${id}`}>
              <bdi>{title ?? id}</bdi>
            </a>
          </span>
          <span>by {own ? 'you' : (creator?.username ?? 'a deleted account')}</span>
        </p>
        {editors.length === 0 ? (
          <p>Only you can edit this document.</p>
        ) : (
          <Items>
            {editors.map((editor) => (
              <Item title={editor.id === user.id ? `${editor.username} (you)` : editor.username}>
                {own && (
                  <Form
                    action={`/${id}/editors/remove`}
                    layout="inline"
                    hidden={{ editor: editor.id }}
                    button="Remove"
                    label={`Remove ${editor.username}`}
                    look="quiet"
                  />
                )}
              </Item>
            ))}
          </Items>
        )}
        {own ? (
          <AddEditorForm id={id} {...typed} />
        ) : (
          <ConfirmationButton
            id="leave"
            title="Leave this document?"
            button="Leave document"
            action={`/${id}/editors/leave`}
          >
            <p>You’ll no longer be able to edit it. Only the author can add you again.</p>
          </ConfirmationButton>
        )}
        <BackLink to={`/${id}`}>Back to the document</BackLink>
      </div>
    </Layout>
  )
  return page(c, editorsPage, options)
}

export async function addEditorFromForm(c: EditorsContext): Promise<Response> {
  const { now, store } = c.var
  const id = c.req.param('id')
  const username = ((await readFields(c)).get('username') ?? '').trim()
  const {
    user,
    found: [document, [editor]],
  } = await requireSessionUser(c, combine(visibleDocument(id, now), usersNamed([username])))
  return submitForm(c, {
    submit: async () => {
      authorizeSettings(user, true)
      const context = { viewer: user, now, limitEditors: () => limitEditors(c, user) }
      await addEditor(store, requireFound(document), editor, context)
      return seeOther(c, `/${id}/editors`)
    },
    handles: () => document !== null && isCreator(document, user),
    showAgain: (error, options) => showEditors(c, { username, problem: formatProblem(error) }, options),
  })
}

export async function removeEditorFromForm(c: EditorsContext): Promise<Response> {
  const { now, store } = c.var
  const editor = { id: (await readFields(c)).get('editor') ?? '' }
  const { user, document } = await requireUserAndDocument(c)
  const context = { viewer: user, now, limitEditors: () => limitEditors(c, user) }
  await removeEditor(store, document, editor, context)
  return seeOther(c, `/${document.id}/editors`)
}

export async function leaveFromForm(c: EditorsContext): Promise<Response> {
  const { user, document } = await requireUserAndDocument(c)
  await leaveDocument(c.var.store, document, user)
  return seeOther(c, SHARED_DOCUMENTS_PATH)
}
