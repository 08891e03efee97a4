import { Hono } from 'hono'
import { authorizeSettings } from '../../accounts/authorization.ts'
import type { User } from '../../accounts/user.ts'
import type { StoredContent } from '../../documents/content/stored-content.ts'
import { editDocument } from '../../documents/edit.ts'
import { type Document, mayEdit } from '../../documents/model/document.ts'
import { isDocumentId } from '../../documents/model/ids.ts'
import { requireDocument } from '../../documents/read.ts'
import { readStored, readToEdit } from '../../documents/read-to-edit.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { type AppError, documentNotFound, editNotAllowed, PasswordError } from '../../errors.ts'
import { checkIfMatch, DocumentChangedError, entityTag } from '../../http/conditional-requests.ts'
import { requireThisSite } from '../../http/origin-check.ts'
import { requireSession, requireSessionUser } from '../../http/require-session.ts'
import { PLAIN_TEXT } from '../../shared/languages.ts'
import { type AnswerOptions, seeOther, withHeaders } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { limitContentForm, readFields } from '../layout/form.ts'
import { page, pageWithText, pageWithTwoTexts } from '../layout/page.tsx'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { formatProblem } from '../layout/problem.tsx'
import { submitForm } from '../layout/submit-form.ts'
import { createCodeEditorOptions } from './code-editor-options.ts'
import { ConflictPage, EditPage, LockedPage } from './edit-pages.tsx'
import { type EditValues, newEditValues, parseEditValues, toEdit } from './edit-values.ts'

/** Returns the document of this address. Throws `not_found`, or `bad_auth` if the user may not edit it. */
async function requireEditable(c: AppContext<'/:id/edit'>, user: User): Promise<Document> {
  const document = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
  if (!mayEdit(document, user)) throw editNotAllowed()
  return document
}

/** Shows the form with a text that the server can read. */
function showText(
  c: AppContext<'/:id/edit'>,
  { document, values, stored }: { document: Document; values: Omit<EditValues, 'text'>; stored: string },
): Response | Promise<Response> {
  const { codeEditor, headers } = createCodeEditorOptions(c)
  const render = (text: string) => (
    <EditPage
      document={document}
      values={{ ...values, text }}
      codeEditor={codeEditor}
      stored={stored}
      signedIn
    />
  )
  return pageWithText(c, stored, render, { headers: { ...PRIVATE_HEADERS, ...headers } })
}

/** Shows the form with the text of the document. For an encrypted document it asks for the password. */
async function showForm(c: AppContext<'/:id/edit'>, user: User): Promise<Response> {
  const { now, store } = c.var
  const { document, stored } = await readStored(store, await requireEditable(c, user), { viewer: user, now })
  const values = newEditValues(document, { password: null, confirmed: user.confirmed })
  if (!document.encrypted) return showText(c, { document, values, stored })
  const { codeEditor, headers } = createCodeEditorOptions(c)
  const render = (jwe: string) => (
    <LockedPage
      document={document}
      values={{ ...values, text: null }}
      codeEditor={codeEditor}
      wrong={false}
      jwe={jwe}
    />
  )
  return pageWithText(c, stored, render, { headers: { ...PRIVATE_HEADERS, ...headers } })
}

/** Shows the form with text that the server decrypted, for a browser without scripts. */
async function showDecryptedForm(
  c: AppContext<'/:id/edit'>,
  user: User,
  password: string,
): Promise<Response> {
  const { now, store } = c.var
  const found = await requireEditable(c, user)
  const { confirmed } = user
  return submitForm(c, {
    submit: async () => {
      const { document, text } = await readToEdit(store, found, { viewer: user, password, now })
      const values = newEditValues(document, { password: document.encrypted ? password : null, confirmed })
      return showText(c, { document, values, stored: text })
    },
    handles: (error) => error instanceof PasswordError,
    showAgain: (_, options) => {
      const { codeEditor, headers } = createCodeEditorOptions(c)
      const values = { ...newEditValues(found, { password: null, confirmed }), text: null }
      const locked = <LockedPage document={found} values={values} codeEditor={codeEditor} wrong jwe={null} />
      return page(c, locked, withHeaders(options, headers))
    },
  })
}

/** Saves the form. Throws what is wrong with it, and DocumentChangedError if somebody else saved in between. */
async function save(c: AppContext<'/:id/edit'>, sent: EditValues): Promise<void> {
  const user = await requireSessionUser(c)
  const { config, now, store } = c.var
  const makeEdit = async (document: Document, content: StoredContent) => {
    const present = sent.text === null ? null : await content.readText(sent.password ?? undefined)
    const context = { document, present, maxContentBytes: config.maxContentBytes, now }
    const { edit, usesSettings } = toEdit(sent, context)
    authorizeSettings(user, usesSettings)
    return edit
  }
  const checkPrecondition = checkIfMatch(sent.version)
  await editDocument(store, c.req.param('id'), makeEdit, { viewer: user, now, checkPrecondition })
}

/**
 * Shows what was sent beside what somebody else saved in between. If they're the same, the form was submitted
 * twice, and the user goes to the document.
 */
async function answerConflict(
  c: AppContext<'/:id/edit'>,
  sent: EditValues,
  { found, options }: { found: Document; options: Required<AnswerOptions> },
): Promise<Response> {
  const user = await requireSessionUser(c)
  const { config, now, store } = c.var
  const password = sent.password ?? undefined
  const unread = { document: found, text: null }
  const { document, text: present } =
    sent.text === null
      ? unread
      : await readToEdit(store, found, { viewer: user, password, now }).catch((thrown) => {
          if (thrown instanceof PasswordError) return unread
          throw thrown
        })
  if (sent.text === null || present !== null) {
    const { nothing } = toEdit(sent, { document, present, maxContentBytes: config.maxContentBytes, now })
    if (nothing) return seeOther(c, `/${document.id}`)
  }
  const { codeEditor, headers } = createCodeEditorOptions(c)
  const values = { ...sent, version: entityTag(document, 'json') }
  const render = (mine: string, theirs: string) => (
    <ConflictPage
      document={document}
      values={{ ...values, text: sent.text && mine }}
      codeEditor={codeEditor}
      savedText={present && theirs}
    />
  )
  return pageWithTwoTexts(c, [sent.text ?? '', present ?? ''], render, withHeaders(options, headers))
}

const GONE =
  'This document no longer exists: it expired or was deleted. Copy your text before you leave this page.'

/** Shows the form again with everything that was typed and what went wrong. */
function showAgain(
  c: AppContext<'/:id/edit'>,
  sent: EditValues,
  { error, options }: { error: AppError; options: Required<AnswerOptions> },
): Promise<Response> {
  const { codeEditor, headers } = createCodeEditorOptions(c)
  const id = c.req.param('id')
  const language = sent.settings?.language ?? PLAIN_TEXT
  const render = (text: string) => (
    <EditPage
      document={{ id, language, burnAfterReading: false }}
      signedIn={c.var.hasSessionCookie}
      values={{ ...sent, text: sent.text && text }}
      codeEditor={codeEditor}
      problem={error.code === 'not_found' ? GONE : formatProblem(error)}
      wrongPassword={error instanceof PasswordError}
      stored={null}
    />
  )
  return pageWithText(c, sent.text ?? '', render, withHeaders(options, headers))
}

export const edit = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/edit', requireSession, (c) => showForm(c, c.var.user))
  .post(
    '/:id/edit',
    // A form that another site sent isn't shown as if it had been typed here.
    requireThisSite,
    limitContentForm,
    async (c) => {
      const fields = await readFields(c)
      if (!fields.has('version')) {
        const user = await requireSessionUser(c)
        const password = fields.get('password') || undefined
        return password === undefined ? showForm(c, user) : showDecryptedForm(c, user, password)
      }
      // The form is shown again even if nobody is signed in, and it links to this address.
      if (!isDocumentId(c.req.param('id'))) throw documentNotFound()
      const sent = parseEditValues(fields)
      const again = (error: AppError, options: Required<AnswerOptions>) =>
        showAgain(c, sent, { error, options })
      return submitForm(c, {
        submit: async () => {
          await save(c, sent)
          return seeOther(c, `/${c.req.param('id')}`)
        },
        showAgain: (error, options) =>
          error instanceof DocumentChangedError
            ? submitForm(c, {
                submit: () => answerConflict(c, sent, { found: error.document, options }),
                showAgain: again,
              })
            : again(error, options),
      })
    },
  )
