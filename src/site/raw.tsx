import { type Context, Hono } from 'hono'
import type { Document } from '../documents/document.ts'
import { burnsFor, deliver, type Proof, requireDocument } from '../documents/read.ts'
import type { AppEnv } from '../env.ts'
import { methodNotAllowed, PasswordError } from '../errors.ts'
import { offeredPassword } from '../middleware/password.ts'
import { documentHeaders, isFresh } from '../representation.ts'
import { ReadOnceForm } from './components/forms.tsx'
import { formFields, formLimit, MOST_PASSWORD_FORM_BYTES } from './form.ts'
import { Notice } from './layout.tsx'
import { answerErrorText, errorHeaders, page } from './respond.tsx'

/** Whoever wrote the text, nothing in it runs: not as a page, not as anything a browser may guess it is. */
const RAW_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; sandbox",
}

const rawHeaders = (document: Document) => ({ ...documentHeaders(document, 'raw'), ...RAW_HEADERS })

async function rawText(c: Context<AppEnv>, found: Document, proof: Proof) {
  const { identity, now, store } = c.var
  const { document, content } = await deliver(store, found, { viewer: identity.ask, proof, now })
  return c.body(content, 200, rawHeaders(document))
}

const acceptsHtml = (c: Context<AppEnv>) => c.req.header('Accept')?.includes('text/html') === true

const ReadOncePage = ({ document, wrong = false }: { document: Document; wrong?: boolean }) => (
  <Notice title="This document can be read once">
    <p>Whoever reads it deletes it. You get its text alone, as it was written.</p>
    <ReadOnceForm action={`/r/${document.id}`} encrypted={document.encrypted} wrong={wrong} />
  </Notice>
)

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
        ? page(c, <ReadOncePage document={document} />, 200, headers)
        : c.text(readOnceLine(document, siteUrl), 200, headers)
    }
    if (isFresh(c.req.header('If-None-Match'), document, 'raw')) {
      return c.body(null, 304, rawHeaders(document))
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, rawHeaders(document))
    return rawText(c, document, { password: offeredPassword(c) })
  })
  .post('/:id', formLimit(MOST_PASSWORD_FORM_BYTES), async (c) => {
    const document = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    const password = (await formFields(c)).get('password') || offeredPassword(c)
    try {
      return await rawText(c, document, { password })
    } catch (error) {
      // Whoever came by the form gets it again.
      if (!(error instanceof PasswordError && document.instantDelete && acceptsHtml(c))) throw error
      return page(c, <ReadOncePage document={document} wrong />, 400, errorHeaders(error))
    }
  })
  .all('/:id', () => {
    throw methodNotAllowed('GET, HEAD, POST')
  })
