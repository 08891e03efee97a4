import { Hono } from 'hono'
import type { Document } from '../../documents/document.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { crossSiteForm, PasswordError } from '../../errors.ts'
import {
  type AnswerOptions,
  allowAnyOrigin,
  answerErrorText,
  answerPreflight,
  rejectOtherMethods,
} from '../../http/answers.ts'
import { limitBody } from '../../http/bodies.ts'
import { BOOKMARK_HEADER } from '../../http/bookmark.ts'
import { answerContent, answerDocumentText, answerFileText } from '../../http/document-text.ts'
import { findDocumentOnPrimary } from '../../http/find-document.ts'
import { DOCUMENT_TOKEN_HEADER, isFromThisSite, readDocumentPassword } from '../../http/identity.ts'
import { toAddress } from '../../shared/document-ids.ts'
import { getDisplay } from '../../ui/page.tsx'
import { MAX_PASSWORD_FORM_BYTES, readFields, submitForm } from '../../ui/submitted-form.ts'
import { showProtectedPage } from './document.tsx'

const acceptsHtml = (c: AppContext) => c.req.header('Accept')?.includes('text/html') === true

const burnPage = (
  c: AppContext,
  document: Document,
  { wrong = false, ...options }: AnswerOptions & { readonly wrong?: boolean },
) =>
  showProtectedPage(
    c,
    { document, burns: true, action: `/r/${document.id}`, wrong, options },
    {
      access: { signedIn: c.var.hasSessionCookie, role: 'reader', admin: false },
      offer: null,
      display: getDisplay(c),
      view: { language: null, asSource: false },
    },
  )

/** haste clients add the extension of the language. */
const getId = (c: AppContext): string => toAddress(c.req.param('id') ?? '')

const showBurnPage = (c: AppContext, document: Document, headers: Record<string, string>) =>
  burnPage(c, document, { headers })

const raw = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/:id', (c) => answerDocumentText(c, getId(c), acceptsHtml(c) ? showBurnPage : undefined))
  .get('/:id/:name{.+}', (c) => answerFileText(c, c.req.param(), acceptsHtml(c) ? showBurnPage : undefined))
  .post('/:id', limitBody(MAX_PASSWORD_FORM_BYTES), async (c) => {
    const { document, viewer } = await findDocumentOnPrimary(c, getId(c))
    if (document.burnAfterReading && isFromThisSite(c) === false) throw crossSiteForm()
    const password = (await readFields(c)).get('password') || readDocumentPassword(c, document)
    return submitForm(c, {
      submit: () => answerContent(c, document, { viewer, proof: { password } }),
      // Programs get the error as text; a browser sent the form of the burn page, and gets it back.
      handles: (error) => error instanceof PasswordError && document.burnAfterReading && acceptsHtml(c),
      showAgain: (_, options) => burnPage(c, document, { ...options, wrong: password !== undefined }),
    })
  })

/** Browsers send no cookies from other origins. */
export const rawRoutes = new Hono<AppEnv>()
  .use(
    answerPreflight({
      methods: ['GET', 'HEAD'],
      headers: ['If-None-Match', BOOKMARK_HEADER, 'X-Document-Password', DOCUMENT_TOKEN_HEADER],
    }),
  )
  .use(allowAnyOrigin)
  .route('/', rejectOtherMethods(raw))
