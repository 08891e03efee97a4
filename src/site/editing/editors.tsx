import { type Context, Hono } from 'hono'
import { authorizeSettings } from '../../accounts/authorization.ts'
import { addEditor, removeEditor } from '../../documents/editors.ts'
import { leaveDocument } from '../../documents/leave.ts'
import { type Document, isCreator, mayEdit } from '../../documents/model/document.ts'
import { requireDocument } from '../../documents/read.ts'
import type { AppEnv, UserEnv } from '../../env.ts'
import { editNotAllowed } from '../../errors.ts'
import { limitBody } from '../../http/bodies/body-limit.ts'
import { requireSession } from '../../http/identity/require-session.ts'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { readFields } from '../layout/form.ts'
import { page } from '../layout/page.tsx'
import { SHARED_DOCUMENTS_PATH } from '../layout/paths.ts'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { formatProblem } from '../layout/problem.tsx'
import { submitForm } from '../layout/submit-form.ts'

/** Loads the page when someone opens it: reading a document doesn't need it. */
const loadPages = () => import('./pages.ts')

/** More than a username and an account's id take. */
const MAX_FORM_BYTES = 4 * 1024

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
    const { EditorsPage } = await loadPages()
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
        const { EditorsPage } = await loadPages()
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
