import { Hono } from 'hono'
import type { Document } from '../../../documents/model/document.ts'
import { requireDocument } from '../../../documents/read.ts'
import type { AppContext, AppEnv } from '../../../env.ts'
import { crossSiteForm, PasswordError } from '../../../errors.ts'
import { answerContent, answerDocumentText } from '../../../http/answers/document-text.ts'
import { answerErrorText } from '../../../http/answers/error-text.ts'
import { limitBody } from '../../../http/bodies/body-limit.ts'
import { readDocumentPassword } from '../../../http/identity/document-password.ts'
import { isFromThisSite } from '../../../http/origin-check.ts'
import type { AnswerOptions } from '../../layout/answer.ts'
import { MAX_PASSWORD_FORM_BYTES, readFields } from '../../layout/form.ts'
import { page } from '../../layout/page.tsx'
import { getDisplay } from '../../layout/page-frame.ts'
import { submitForm } from '../../layout/submit-form.ts'
import { ANONYMOUS } from '../page/document-navigation.tsx'
import { BurnPage } from '../protected/burn-page.tsx'

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

/** The content of a document as plain text. */
export const raw = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/:id', (c) =>
    acceptsHtml(c)
      ? answerDocumentText(c, c.req.param('id'), (document, headers) => burnPage(c, document, { headers }))
      : answerDocumentText(c, c.req.param('id')),
  )
  .post('/:id', limitBody(MAX_PASSWORD_FORM_BYTES), async (c) => {
    const document = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    if (document.burnAfterReading && isFromThisSite(c) === false) throw crossSiteForm()
    const password = (await readFields(c)).get('password') || readDocumentPassword(c, document)
    return submitForm(c, {
      submit: () => answerContent(c, document, { password }),
      // Programs get the error as text; a browser sent the form of the burn page, and gets it back.
      handles: (error) => error instanceof PasswordError && document.burnAfterReading && acceptsHtml(c),
      showAgain: (_, options) => burnPage(c, document, { ...options, wrong: password !== undefined }),
    })
  })
