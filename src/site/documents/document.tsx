import { Hono } from 'hono'
import type { Document } from '../../documents/model/document.ts'
import { isDocumentId } from '../../documents/model/ids.ts'
import { burnsFor, type Delivery, deliver, requireDocument } from '../../documents/read.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { crossSiteForm, PasswordError, passwordRequired, routeNotFound } from '../../errors.ts'
import { limitBody } from '../../http/body-limit.ts'
import { documentHeaders, isFresh, type Representation } from '../../http/conditional-requests.ts'
import { findViewer } from '../../http/document-token.ts'
import { isFromThisSite } from '../../http/origin-check.ts'
import { planChunks } from '../../shared/lines.ts'
import { BUILD } from '../assets.generated.ts'
import { answer, seeOther } from '../layout/answer.ts'
import { MAX_PASSWORD_FORM_BYTES, readFields } from '../layout/form.ts'
import { answerHtml, page, pageWithText } from '../layout/page.tsx'
import { getTheme } from '../layout/page-frame.ts'
import { submitForm } from '../layout/submit-form.ts'
import { BurnPage } from './burn-page.tsx'
import { answerDocumentError } from './document-errors.tsx'
import { identifyPageViewer, type PageViewer } from './document-navigation.tsx'
import { DocumentPage } from './document-page.tsx'
import { writeChunks } from './numbered-text.tsx'
import { PasswordPage } from './password-page.tsx'

/** Names the page as this viewer gets it: with their navigation, in their theme, from this build. */
function getRepresentation(c: AppContext, { signedIn, role, admin }: PageViewer): Representation {
  const theme = getTheme(c)
  const page = theme === 'system' ? (`page-${BUILD}` as const) : (`page-${BUILD}-${theme}` as const)
  return signedIn ? `${page}-${role}${admin ? '-admin' : ''}` : page
}

/** Returns a document with the number of views that it will have once it's decrypted. */
const withNextView = (c: AppContext, document: Document) => ({
  document,
  views: c.var.store.views.current(document.id, document.views) + 1,
  now: c.var.now,
})

/** Answers the page of a document that was delivered. */
function answerDelivery(c: AppContext, delivery: Delivery, viewer: PageViewer): Promise<Response> {
  const { content, document } = delivery
  const chunks = planChunks(content)
  const props = { ...delivery, viewer, chunks, now: c.var.now }
  return pageWithText(c, content, (text) => <DocumentPage {...props} text={text} />, {
    headers: documentHeaders(document, getRepresentation(c, viewer)),
    write: chunks.linesPerChunk === null ? undefined : (text) => writeChunks(text, chunks),
  })
}

/** The page of a document. A GET never burns it, since previews, scanners and prefetching send one too. */
export const documentPages = new Hono<AppEnv>()
  .onError(answerDocumentError)
  .get('/:id', async (c) => {
    const { now, store } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    const viewer = await identifyPageViewer(c, document)
    const representation = getRepresentation(c, viewer)
    const headers = documentHeaders(document, representation)
    if (isFresh(c.req.header('If-None-Match'), document, representation))
      return answer(c, null, { status: 304, headers })
    if (c.req.method === 'HEAD') return answerHtml(c, '', { headers })
    if (await burnsFor(document, () => findViewer(c))) {
      const { signedIn } = viewer
      return page(c, <BurnPage document={document} action={`/${document.id}`} signedIn={signedIn} />, {
        headers,
      })
    }
    if (document.encrypted)
      return page(c, <PasswordPage {...withNextView(c, document)} viewer={viewer} />, { headers })
    return answerDelivery(
      c,
      await deliver(store, document, { viewer: () => findViewer(c), proof: {}, now }),
      viewer,
    )
  })
  .post('/:id', limitBody(MAX_PASSWORD_FORM_BYTES), async (c) => {
    const { now, store } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    if (!document.encrypted && !document.burnAfterReading) return seeOther(c, `/${document.id}`)
    // No other site can make a browser read, and so delete, a document.
    if (document.burnAfterReading && isFromThisSite(c) === false) throw crossSiteForm()
    const password = (await readFields(c)).get('password') || undefined
    const viewer = await identifyPageViewer(c, document)
    return submitForm(c, {
      submit: async () => {
        if (document.encrypted && password === undefined) throw passwordRequired()
        const delivery = await deliver(store, document, {
          viewer: () => findViewer(c),
          proof: { password },
          now,
        })
        return answerDelivery(c, delivery, viewer)
      },
      handles: (error) => error instanceof PasswordError,
      showAgain: async (_, options) => {
        const { signedIn } = viewer
        const wrong = password !== undefined
        const again = (await burnsFor(document, () => findViewer(c))) ? (
          <BurnPage document={document} action={`/${document.id}`} signedIn={signedIn} wrong={wrong} />
        ) : (
          <PasswordPage {...withNextView(c, document)} viewer={viewer} wrong={wrong} />
        )
        return page(c, again, options)
      },
    })
  })
  // An address that no document can have is not found, whatever the method.
  .all('/:id', (c, next) => {
    if (!isDocumentId(c.req.param('id'))) throw routeNotFound()
    return next()
  })
