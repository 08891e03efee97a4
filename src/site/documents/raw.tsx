import { Hono } from 'hono'
import type { Document } from '../../documents/model/document.ts'
import { burnsFor, deliverBody, type Proof, requireDocument } from '../../documents/read.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { foreignForm, PasswordError } from '../../errors.ts'
import { limitBody } from '../../http/body-limit.ts'
import { documentHeaders, isFresh } from '../../http/conditional-requests.ts'
import { offeredPassword } from '../../http/document-password.ts'
import { isFromThisSite } from '../../http/origin-check.ts'
import { answer, answerText } from '../layout/answer.ts'
import { answerErrorText, errorHeaders } from '../layout/errors.tsx'
import { MAX_PASSWORD_FORM_BYTES, readFields } from '../layout/form.ts'
import { page } from '../layout/page.tsx'
import { ReadOncePage } from './burn-page.tsx'

/** Whoever wrote the text, nothing in it runs: not as a page, not as anything a browser may guess it is. */
const rawHeaders = (document: Document) => ({
  ...documentHeaders(document, 'raw'),
  'Content-Security-Policy': "default-src 'none'; sandbox",
})

async function rawText(c: AppContext, found: Document, proof: Proof) {
  const { identity, now, store } = c.var
  const { document, body } = await deliverBody(store, found, { viewer: identity.ask, proof, now })
  return answerText(c, body, { headers: rawHeaders(document) })
}

const acceptsHtml = (c: AppContext) => c.req.header('Accept')?.includes('text/html') === true

/** What a program is told that asked for a document which a mere GET does not delete. */
function readOnceLine(document: Document, siteUrl: string): string {
  const password = document.encrypted ? ' -H "X-Document-Password: PASSWORD"' : ''
  return `This document is deleted when it is read. To read it: curl -X POST${password} ${siteUrl}/r/${document.id}\n`
}

export const raw = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/:id', async (c) => {
    const { identity, now, siteUrl, store } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    if (await burnsFor(document, identity.ask)) {
      const headers = documentHeaders(document, 'raw')
      return acceptsHtml(c)
        ? page(
            c,
            <ReadOncePage
              document={document}
              action={`/r/${document.id}`}
              signedIn={c.var.hasSessionCookie}
            />,
            { headers },
          )
        : answerText(c, readOnceLine(document, siteUrl), { headers })
    }
    if (isFresh(c.req.header('If-None-Match'), document, 'raw')) {
      return answer(c, null, { status: 304, headers: rawHeaders(document) })
    }
    if (c.req.method === 'HEAD') return answerText(c, null, { headers: rawHeaders(document) })
    return rawText(c, document, { password: offeredPassword(c, document) })
  })
  .post('/:id', limitBody(MAX_PASSWORD_FORM_BYTES), async (c) => {
    const document = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    if (document.burnAfterReading && isFromThisSite(c) === false) throw foreignForm()
    const password = (await readFields(c)).get('password') || offeredPassword(c, document)
    try {
      return await rawText(c, document, { password })
    } catch (error) {
      // Whoever came by the form gets it again.
      if (!(error instanceof PasswordError && document.burnAfterReading && acceptsHtml(c))) throw error
      const wrong = password !== undefined
      const again = (
        <ReadOncePage
          document={document}
          action={`/r/${document.id}`}
          signedIn={c.var.hasSessionCookie}
          wrong={wrong}
        />
      )
      return page(c, again, {
        status: 400,
        headers: errorHeaders(error),
      })
    }
  })
