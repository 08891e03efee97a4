import { Hono } from 'hono'
import type { Document } from '../../documents/model/document.ts'
import { burnsFor, deliverBody, type Proof, requireDocument } from '../../documents/read.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { crossSiteForm, PasswordError } from '../../errors.ts'
import { limitBody } from '../../http/body-limit.ts'
import { documentHeaders, isFresh } from '../../http/conditional-requests.ts'
import { readDocumentPassword } from '../../http/document-password.ts'
import { findViewer } from '../../http/document-token.ts'
import { isFromThisSite } from '../../http/origin-check.ts'
import { type AnswerOptions, answer, answerText } from '../layout/answer.ts'
import { answerErrorText } from '../layout/errors.tsx'
import { MAX_PASSWORD_FORM_BYTES, readFields } from '../layout/form.ts'
import { page } from '../layout/page.tsx'
import { getDisplay } from '../layout/page-frame.ts'
import { submitForm } from '../layout/submit-form.ts'
import { BurnPage } from './burn-page.tsx'
import { ANONYMOUS } from './document-navigation.tsx'

/** Keeps browsers from running anything in the text, even if they mistake it for a page. */
const rawHeaders = (document: Document) => ({
  ...documentHeaders(document, 'raw'),
  'Content-Security-Policy': "default-src 'none'; sandbox",
})

/** Answers the content as plain text. */
async function answerRawText(c: AppContext, found: Document, proof: Proof) {
  const { now, store } = c.var
  const { document, body } = await deliverBody(store, found, { viewer: () => findViewer(c), proof, now })
  return answerText(c, body, { headers: rawHeaders(document) })
}

const acceptsHtml = (c: AppContext) => c.req.header('Accept')?.includes('text/html') === true

/** Answers the page that asks before a document is burned. */
const burnPage = (
  c: AppContext,
  document: Document,
  { wrong = false, ...options }: AnswerOptions & { readonly wrong?: boolean },
) =>
  page(
    c,
    <BurnPage
      document={document}
      action={`/r/${document.id}`}
      viewer={{ ...ANONYMOUS, signedIn: c.var.hasSessionCookie }}
      display={getDisplay(c)}
      addressLanguage={null}
      wrong={wrong}
    />,
    options,
  )

/** Tells a program how to read a document that burns after reading, since a GET doesn't burn it. */
function formatBurnInstructions(document: Document, siteUrl: string): string {
  const password = document.encrypted ? ' -H "X-Document-Password: PASSWORD"' : ''
  return `Reading this document deletes it. To read it: curl -X POST${password} ${siteUrl}/r/${document.id}\n`
}

/** The content of a document as plain text. */
export const raw = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/:id', async (c) => {
    const { now, siteUrl, store } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    if (await burnsFor(document, () => findViewer(c))) {
      const headers = documentHeaders(document, 'raw')
      return acceptsHtml(c)
        ? burnPage(c, document, { headers })
        : answerText(c, formatBurnInstructions(document, siteUrl), { headers })
    }
    if (isFresh(c.req.header('If-None-Match'), document, 'raw')) {
      return answer(c, null, { status: 304, headers: rawHeaders(document) })
    }
    if (c.req.method === 'HEAD') return answerText(c, null, { headers: rawHeaders(document) })
    return answerRawText(c, document, { password: readDocumentPassword(c, document) })
  })
  .post('/:id', limitBody(MAX_PASSWORD_FORM_BYTES), async (c) => {
    const document = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    if (document.burnAfterReading && isFromThisSite(c) === false) throw crossSiteForm()
    const password = (await readFields(c)).get('password') || readDocumentPassword(c, document)
    return submitForm(c, {
      submit: () => answerRawText(c, document, { password }),
      // Programs get the error as text; a browser sent the form of the burn page, and gets it back.
      handles: (error) => error instanceof PasswordError && document.burnAfterReading && acceptsHtml(c),
      showAgain: (_, options) => burnPage(c, document, { ...options, wrong: password !== undefined }),
    })
  })
