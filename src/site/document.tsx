import { type Context, Hono } from 'hono'
import type { Document } from '../documents/document.ts'
import { isId } from '../documents/ids.ts'
import { burnsFor, type Delivery, deliver, requireDocument } from '../documents/read.ts'
import type { AppEnv } from '../env.ts'
import { methodNotAllowed, PasswordError, passwordNeeded, routeNotFound } from '../errors.ts'
import { documentHeaders, isFresh } from '../representation.ts'
import { BUILD } from './assets.generated.ts'
import { Facts } from './components/facts.tsx'
import { PasswordForm, ReadOnceForm } from './components/forms.tsx'
import { NumberedText } from './components/numbered-text.tsx'
import { formFields, formLimit, MOST_PASSWORD_FORM_BYTES } from './form.ts'
import { drawSlot, SLICE, streamPage } from './large-text.ts'
import { Layout, Notice } from './layout.tsx'
import { answer, answerErrorPage, answerHtml, errorHeaders, page, renderPage, seeOther } from './respond.tsx'

const REPRESENTATION = `page-${BUILD}` as const

const DocumentPage = ({ document, content, views, burned, slot }: Delivery & { slot?: string }) => (
  <Layout title={document.id}>
    {burned && (
      <p class="banner" role="status">
        This document is now deleted: you are its one reader. Copy what you need before you leave.
      </p>
    )}
    <div class="title">
      <h1>{document.id}</h1>
      {!burned && (
        <nav aria-label="Document">
          <a href={`/r/${document.id}`}>Raw</a>
        </nav>
      )}
    </div>
    <Facts document={document} views={views} burned={burned} />
    <NumberedText text={content} slot={slot} />
  </Layout>
)

const PasswordPage = ({ document, wrong = false }: { document: Document; wrong?: boolean }) => (
  <Notice title="This document is encrypted">
    <p>Its text is shown to those who know the password.</p>
    <PasswordForm action={`/${document.id}`} button="Show the document" wrong={wrong} />
  </Notice>
)

const ReadOncePage = ({ document, wrong = false }: { document: Document; wrong?: boolean }) => (
  <Notice title="This document can be read once">
    <p>Whoever reads it deletes it. Make sure that you have the time to read it, or a place to keep it.</p>
    <ReadOnceForm action={`/${document.id}`} encrypted={document.encrypted} wrong={wrong} />
  </Notice>
)

/** Shows what was delivered. Nothing that took a password or a claim is kept by any cache. */
async function deliveryPage(c: Context<AppEnv>, delivery: Delivery) {
  const headers = documentHeaders(delivery.document, REPRESENTATION)
  if (delivery.content.length <= SLICE) return page(c, <DocumentPage {...delivery} />, { headers })
  const slot = drawSlot()
  const frame = await renderPage(<DocumentPage {...delivery} slot={slot} />)
  return answerHtml(c, streamPage(frame, slot, delivery.content), { headers })
}

/** The page of a document, which changes nothing: previews, scanners and prefetching may all ask for it. */
export const documentPages = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id', async (c) => {
    const { identity, now, store } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    const headers = documentHeaders(document, REPRESENTATION)
    if (isFresh(c.req.header('If-None-Match'), document, REPRESENTATION))
      return answer(c, null, { status: 304, headers })
    if (c.req.method === 'HEAD') return answerHtml(c, '', { headers })
    if (await burnsFor(document, identity.ask)) {
      return page(c, <ReadOncePage document={document} />, { headers })
    }
    if (document.encrypted) return page(c, <PasswordPage document={document} />, { headers })
    return deliveryPage(c, await deliver(store, document, { viewer: identity.ask, proof: {}, now }))
  })
  .post('/:id', formLimit(MOST_PASSWORD_FORM_BYTES), async (c) => {
    const { identity, now, store } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    if (!document.encrypted && !document.instantDelete) return seeOther(c, `/${document.id}`)
    const password = (await formFields(c)).get('password') || undefined
    try {
      if (document.encrypted && password === undefined) throw passwordNeeded()
      const proof = { password }
      return await deliveryPage(c, await deliver(store, document, { viewer: identity.ask, proof, now }))
    } catch (error) {
      if (!(error instanceof PasswordError)) throw error
      const Again = document.instantDelete ? ReadOncePage : PasswordPage
      return page(c, <Again document={document} wrong />, { status: 400, headers: errorHeaders(error) })
    }
  })
  .all('/:id', (c) => {
    throw isId(c.req.param('id')) ? methodNotAllowed('GET, HEAD, POST') : routeNotFound()
  })
