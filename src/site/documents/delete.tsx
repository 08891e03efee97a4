import { Hono } from 'hono'
import { removeDocument } from '../../documents/delete.ts'
import { isCreator } from '../../documents/model/document.ts'
import { requireDocument } from '../../documents/read.ts'
import type { AppEnv } from '../../env.ts'
import { notTheCreator } from '../../errors.ts'
import { requireSession } from '../../http/require-session.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { ConfirmationForm } from '../components/confirmation.tsx'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { Notice } from '../layout/layout.tsx'
import { page } from '../layout/page.tsx'
import { YOUR_DOCUMENTS_PATH } from '../layout/paths.ts'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { DELETE_CONFIRMATION } from './delete-confirmation.ts'

/** Deletes a document, for its creator. */
export const deletion = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use('/:id/delete', requireSession)
  .get('/:id/delete', async (c) => {
    const { now, store, user } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    if (!isCreator(document, user)) throw notTheCreator()
    const { title, button, text } = DELETE_CONFIRMATION
    return page(
      c,
      <Notice title={title} signedIn scripts={[SCRIPTS.submitOnce]}>
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
    const { now, store, user } = c.var
    await removeDocument(store, c.req.param('id'), { viewer: user, now })
    return seeOther(c, YOUR_DOCUMENTS_PATH)
  })
