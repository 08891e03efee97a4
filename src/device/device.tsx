import { Hono } from 'hono'
import { type Document, holdsToken, isDocumentToken } from '../documents/document.ts'
import { addDocumentsToAccount, parseDocumentToken } from '../documents/document-tokens.ts'
import { requireDocument } from '../documents/read.ts'
import { downloadDeviceZip, showDeviceDownload } from '../download/download.tsx'
import type { AppContext, AppEnv } from '../env.ts'
import { accountNotConfirmed, wrongDocumentToken } from '../errors.ts'
import { answer, rejectOtherMethods } from '../http/answers.ts'
import { limitBody } from '../http/bodies.ts'
import { documentTokenCookie, expiredDocumentTokenCookie } from '../http/cookies.ts'
import { askSession, NOTHING, requireSessionUser, requireThisSite } from '../http/identity.ts'
import { limitDownloads } from '../http/limits.ts'
import { hashSecret } from '../shared/hashing.ts'
import { answerErrorPage, formatError } from '../ui/errors.tsx'
import { answerJson, PRIVATE_HEADERS, page, seeOther, withCookies } from '../ui/page.tsx'
import { readFieldLists, readFields, submitForm } from '../ui/submitted-form.ts'
import { DevicePage } from './device-page.tsx'

/** The size of a form with the ids and tokens of `MAX_DEVICE_DOCUMENTS`. */
const MAX_FORM_BYTES = 32 * 1024

const device = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/', async (c) => {
    const { user } = await askSession(c, NOTHING)
    const deleted = c.req.query('deleted') !== undefined
    return page(c, <DevicePage signedIn={user !== null} deleted={deleted} />, { headers: PRIVATE_HEADERS })
  })
  // Adds documents to the account. A script sends this once the user agrees.
  .post('/', limitBody(MAX_FORM_BYTES), (c) =>
    submitForm(c, {
      submit: async () => {
        const { user } = await requireSessionUser(c, NOTHING)
        if (!user.confirmed) throw accountNotConfirmed()
        const held = ((await readFieldLists(c)).get('document') ?? []).map(parseDocumentToken)
        const ids = await addDocumentsToAccount(c.var.store, held, { creator: user, now: c.var.now })
        // Their tokens don't work any more.
        return withCookies(answerJson(c, { ids }), ...ids.map((id) => expiredDocumentTokenCookie(c, id)))
      },
      showAgain: (error, options) => answerJson(c, { message: formatError(error) }, options),
    }),
  )
  // Downloads documents, in two steps: a page with one button for each part, and the part.
  .post('/download', requireThisSite, limitDownloads, limitBody(MAX_FORM_BYTES), showDeviceDownload)
  .post('/download/zip', requireThisSite, limitDownloads, limitBody(MAX_FORM_BYTES), downloadDeviceZip)

const MAX_TOKEN_FORM_BYTES = 1024

/** @throws AppError `not_found`, or `bad_auth` if the token is wrong or missing. */
async function requireDocumentByToken(
  c: AppContext,
  id: string,
  token: string | undefined,
): Promise<Document> {
  const document = await requireDocument(c.var.store, id, c.var.now)
  const tokenHash = token !== undefined && isDocumentToken(token) ? await hashSecret(token) : null
  if (!holdsToken(document, { id: null, tokenHash })) throw wrongDocumentToken()
  return document
}

const answerCookie = (c: AppContext, cookie: string): Response =>
  withCookies(answer(c, null, { status: 204, headers: PRIVATE_HEADERS }), cookie)

const manage = new Hono<AppEnv>()
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
  .post('/:id/manage', requireThisSite, limitBody(MAX_TOKEN_FORM_BYTES), async (c) => {
    const token = (await readFields(c)).get('token') ?? ''
    const document = await requireDocumentByToken(c, c.req.param('id'), token)
    return answerCookie(c, documentTokenCookie(c, document, token))
  })
  // Scripts forget a document on this device.
  .delete('/:id/manage', requireThisSite, async (c) => {
    const { id } = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    return answerCookie(c, expiredDocumentTokenCookie(c, id))
  })

export const routes = new Hono<AppEnv>()
  .route('/device', rejectOtherMethods(device))
  .route('/', rejectOtherMethods(manage))
