import { Hono } from 'hono'
import { type Document, holdsToken } from '../../documents/model/document.ts'
import { hashDocumentToken, isDocumentToken } from '../../documents/model/document-token.ts'
import { requireDocument } from '../../documents/read.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { wrongDocumentToken } from '../../errors.ts'
import { limitBody } from '../../http/bodies/body-limit.ts'
import { documentTokenCookie, expiredDocumentTokenCookie } from '../../http/identity/document-token.ts'
import { requireThisSite } from '../../http/origin-check.ts'
import { answer, seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { readFields } from '../layout/form.ts'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'

/** More than any token needs. */
const MAX_FORM_BYTES = 1024

/** Returns the document that a token belongs to. Throws `not_found`, or `bad_auth` if the token is wrong or missing. */
async function requireDocumentByToken(
  c: AppContext,
  id: string,
  token: string | undefined,
): Promise<Document> {
  const document = await requireDocument(c.var.store, id, c.var.now)
  const tokenHash = token !== undefined && isDocumentToken(token) ? await hashDocumentToken(token) : null
  if (!holdsToken(document, { id: null, tokenHash })) throw wrongDocumentToken()
  return document
}

/** Answers a script's request with only a cookie. */
function answerCookie(c: AppContext, cookie: string): Response {
  const response = answer(c, null, { status: 204, headers: PRIVATE_HEADERS })
  response.headers.append('Set-Cookie', cookie)
  return response
}

/** Gives the browser the cookie that proves who created a document without an account. */
export const manage = new Hono<AppEnv>()
  .onError(answerErrorPage)
  // The management link. Redirects at once, so that the token doesn't stay in the address bar or get into a Referer.
  .get('/:id/manage', async (c) => {
    const token = c.req.query('token') ?? ''
    const document = await requireDocumentByToken(c, c.req.param('id'), token)
    const response = seeOther(c, `/${document.id}`, [documentTokenCookie(c, document, token)])
    response.headers.set('Referrer-Policy', 'no-referrer')
    response.headers.set('X-Robots-Tag', 'noindex')
    return response
  })
  // Scripts restore a lost cookie.
  .post('/:id/manage', requireThisSite, limitBody(MAX_FORM_BYTES), async (c) => {
    const token = (await readFields(c)).get('token') ?? ''
    const document = await requireDocumentByToken(c, c.req.param('id'), token)
    return answerCookie(c, documentTokenCookie(c, document, token))
  })
  // Scripts forget a document on this device.
  .delete('/:id/manage', requireThisSite, async (c) => {
    const { id } = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    return answerCookie(c, expiredDocumentTokenCookie(c, id))
  })
