import { Hono } from 'hono'
import { removeDocument } from '../../documents/delete.ts'
import { isCreator } from '../../documents/document.ts'
import { visibleDocument } from '../../documents/document-statements.ts'
import { requireFound } from '../../documents/read.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { notTheCreator } from '../../errors.ts'
import { deletedDocumentTokenCookies } from '../../http/cookies.ts'
import { requireManager } from '../../http/identity.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { ConfirmationForm } from '../components/confirmation.tsx'
import { answerErrorPage } from '../layout/errors.tsx'
import { Notice } from '../layout/layout.tsx'
import { DEVICE_PATH, PRIVATE_HEADERS, page, seeOther, YOUR_DOCUMENTS_PATH } from '../layout/page.tsx'
import { DELETE_CONFIRMATION } from './document-frame.tsx'

async function requireManagedDocument(c: AppContext<'/:id/delete'>) {
  const { found, ...manager } = await requireManager(c, visibleDocument(c.req.param('id'), c.var.now))
  return { ...manager, document: requireFound(found) }
}

/** Deletes a document, for its creator: the account, or the holder of its token. */
export const deletion = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/delete', async (c) => {
    const { user, viewer, document } = await requireManagedDocument(c)
    if (!isCreator(document, viewer)) throw notTheCreator()
    const { title, button, text } = DELETE_CONFIRMATION
    return page(
      c,
      <Notice title={title} signedIn={user !== null} scripts={[SCRIPTS.submitOnce]}>
        <ConfirmationForm button={button} action={`/${document.id}/delete`}>
          <p>{text}</p>
        </ConfirmationForm>
        <p>
          <a href={`/${document.id}`}>Back to the document</a>
        </p>
      </Notice>,
      { headers: PRIVATE_HEADERS },
    )
  })
  .post('/:id/delete', async (c) => {
    const { now, store } = c.var
    const { user, viewer, document } = await requireManagedDocument(c)
    const { id } = document
    await removeDocument(store, document, { viewer, now })
    const cookies = deletedDocumentTokenCookies(c, id)
    // A script of that page lets the browser forget the document.
    const byToken = user === null || cookies.length > 0
    return seeOther(c, byToken ? `${DEVICE_PATH}?deleted=${id}` : YOUR_DOCUMENTS_PATH, cookies)
  })
