import { Hono } from 'hono'
import { removeDocument } from '../../documents/delete.ts'
import { isCreator } from '../../documents/model/document.ts'
import { requireDocument } from '../../documents/read.ts'
import type { AppEnv } from '../../env.ts'
import { methodNotAllowed, notTheOwner } from '../../errors.ts'
import { requireSession } from '../../http/require-session.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { ConfirmationForm } from '../components/confirmation.tsx'
import { DELETE_QUESTION } from '../components/questions.ts'
import { Notice } from '../layout/layout.tsx'
import { OWN } from '../layout/private-page.tsx'
import { answerErrorPage, page, seeOther } from '../layout/respond.tsx'

/** Deleting a document, for its creator. */
export const deletion = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use('/:id/delete', requireSession)
  .get('/:id/delete', async (c) => {
    const { now, store, user } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    if (!isCreator(document, user)) throw notTheOwner()
    const { title, button, words } = DELETE_QUESTION
    return page(
      c,
      <Notice title={title} signedIn={true} scripts={[SCRIPTS.submitOnce]}>
        <ConfirmationForm button={button} action={`/${document.id}/delete`}>
          <p>{words}</p>
        </ConfirmationForm>
        <p>
          <a href={`/${document.id}`}>Back to the document</a>
        </p>
      </Notice>,
      { headers: OWN },
    )
  })
  .post('/:id/delete', async (c) => {
    const { now, store, user } = c.var
    await removeDocument(store, c.req.param('id'), { viewer: user, now })
    return seeOther(c, '/account/documents')
  })
  .all('/:id/delete', () => {
    throw methodNotAllowed('GET, HEAD, POST')
  })
