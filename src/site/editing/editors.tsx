import { Hono } from 'hono'
import type { User } from '../../accounts/user.ts'
import { type Document, isCreator, mayEdit } from '../../documents/document.ts'
import { addEditor, removeEditor } from '../../documents/edit.ts'
import { leaveDocument, usersNamed } from '../../documents/editors.ts'
import { requireFound, visibleDocument } from '../../documents/read.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { editNotAllowed } from '../../errors.ts'
import { limitBody } from '../../http/bodies.ts'
import { authorizeSettings, requireSessionAlongside } from '../../http/identity.ts'
import { combine } from '../../platform/database.ts'
import { answerErrorPage, formatProblem } from '../layout/errors.tsx'
import { readFields, submitForm } from '../layout/form.ts'
import { PRIVATE_HEADERS, page, SHARED_DOCUMENTS_PATH, seeOther } from '../layout/page.tsx'

const loadPages = () => import('./edit-pages.lazy.tsx')

/** More than a username and an account's id take. */
const MAX_FORM_BYTES = 4 * 1024

type EditorsContext = AppContext<'/:id/*'>

async function requireUserAndDocument(c: EditorsContext): Promise<{ user: User; document: Document }> {
  const { user, found } = await requireSessionAlongside(c, visibleDocument(c.req.param('id'), c.var.now))
  return { user, document: requireFound(found) }
}

async function requireEditable(c: EditorsContext): Promise<{ user: User; document: Document }> {
  const found = await requireUserAndDocument(c)
  if (!mayEdit(found.document, found.user)) throw editNotAllowed()
  return found
}

export const editors = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/editors', async (c) => {
    const { user, document } = await requireEditable(c)
    const { EditorsPage } = await loadPages()
    return page(c, <EditorsPage document={document} isCreator={isCreator(document, user)} />, {
      headers: PRIVATE_HEADERS,
    })
  })
  .post('/:id/editors/add', limitBody(MAX_FORM_BYTES), async (c) => {
    const { now, store } = c.var
    const id = c.req.param('id')
    const username = ((await readFields(c)).get('username') ?? '').trim()
    const {
      user,
      found: [document, [editor]],
    } = await requireSessionAlongside(c, combine(visibleDocument(id, now), usersNamed([username])))
    return submitForm(c, {
      submit: async () => {
        authorizeSettings(user, true)
        await addEditor(store, requireFound(document), editor, { viewer: user, now })
        return seeOther(c, `/${id}/editors`)
      },
      showAgain: async (error, options) => {
        const { document } = await requireEditable(c)
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
    const { now, store } = c.var
    const editor = { id: (await readFields(c)).get('editor') ?? '' }
    const { user, document } = await requireUserAndDocument(c)
    await removeEditor(store, document, editor, { viewer: user, now })
    return seeOther(c, `/${document.id}/editors`)
  })
  .post('/:id/editors/leave', async (c) => {
    const { user, document } = await requireUserAndDocument(c)
    await leaveDocument(c.var.store, document, user)
    return seeOther(c, SHARED_DOCUMENTS_PATH)
  })
