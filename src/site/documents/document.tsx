import { Hono } from 'hono'
import type { Document } from '../../documents/model/document.ts'
import { isDocumentId } from '../../documents/model/ids.ts'
import { burnsFor, type Delivery, deliver, requireDocument } from '../../documents/read.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { foreignForm, PasswordError, passwordNeeded, routeNotFound } from '../../errors.ts'
import { limitBody } from '../../http/body-limit.ts'
import { documentHeaders, isFresh, type Representation } from '../../http/conditional-requests.ts'
import { isFromThisSite } from '../../http/origin-check.ts'
import { NO_CHUNKS, planChunks, type TextChunks } from '../../shared/lines.ts'
import { BUILD, SCRIPTS } from '../assets.generated.ts'
import { Facts } from '../components/facts.tsx'
import { answer, seeOther } from '../layout/answer.ts'
import { MAX_PASSWORD_FORM_BYTES, readFields } from '../layout/form.ts'
import { Layout, Notice } from '../layout/layout.tsx'
import { answerHtml, page, pageWithText } from '../layout/page.tsx'
import { getTheme } from '../layout/page-frame.ts'
import { submitForm } from '../layout/submit-form.ts'
import { ReportLink } from '../moderation/report-link.tsx'
import { ReadOncePage } from './burn-page.tsx'
import { OpenHere } from './decrypt-panel.tsx'
import { DocumentNavigation, type Visitor, visitorOf } from './document-navigation.tsx'
import { HiddenWarning } from './hidden-warning.tsx'
import { HIGHLIGHTER, NumberedText, writeChunks } from './numbered-text.tsx'
import { answerDocumentError } from './removed.tsx'
import { TextTools } from './text-tools.tsx'
import { PasswordForm } from './unlock-forms.tsx'

interface DocumentPageProps extends Delivery {
  readonly text: string
  readonly visitor: Visitor
  readonly cut: TextChunks
  readonly now: number
}

const DocumentPage = ({ document, content, views, burned, text, visitor, cut, now }: DocumentPageProps) => (
  <Layout
    // A browser's history keeps titles: nothing of a text that was deleted by reading it.
    title={(burned ? null : document.title) ?? document.id}
    signedIn={visitor.signedIn}
    // Only its creator has a form here, to delete it.
    scripts={[SCRIPTS.viewer, ...(visitor.role === 'creator' ? [SCRIPTS.submitOnce] : [])]}
  >
    {burned && (
      <p class="banner" role="status">
        This document is now deleted: you are its one reader. Copy what you need before you leave.
      </p>
    )}
    <div class="title">
      <h1>{document.id}</h1>
      {!burned && <DocumentNavigation document={document} visitor={visitor} />}
    </div>
    <Facts document={document} views={views} burned={burned} now={now} />
    <HiddenWarning text={content} />
    <TextTools document={document} kept={!burned && !document.encrypted} />
    <NumberedText text={text} cut={cut} data={{ 'data-language': document.language, ...HIGHLIGHTER }} />
  </Layout>
)

interface PasswordPageProps {
  readonly document: Document
  /** The view included that opening the document will be. */
  readonly views: number
  readonly now: number
  readonly visitor: Visitor
  readonly wrong?: boolean
}

const PasswordPage = ({ document, views, now, visitor, wrong = false }: PasswordPageProps) => (
  <Notice title="This document is encrypted" signedIn={visitor.signedIn} scripts={[SCRIPTS.decrypt]}>
    <p>Its text is shown to those who know the password.</p>
    <PasswordForm action={`/${document.id}`} button="Show the document" wrong={wrong} />
    <ReportLink document={document} />
    <OpenHere document={document} once={false}>
      <div class="title">
        <h1>{document.id}</h1>
        <DocumentNavigation document={document} visitor={visitor} />
      </div>
      <Facts document={document} views={views} burned={false} now={now} />
      <p class="hint" role="status" />
      <div class="tools link-with-password">
        <button type="button" class="tool">
          Copy link with password
        </button>
        <p>Whoever has that link can read the document.</p>
        <p aria-live="polite" />
      </div>
      <TextTools document={document} kept={false} />
      <NumberedText text="" cut={NO_CHUNKS} data={HIGHLIGHTER} />
    </OpenHere>
  </Notice>
)

/** A page is another one for everyone whom it offers something else, or looks otherwise for. */
function representationFor(c: AppContext, { signedIn, role, admin }: Visitor): Representation {
  const theme = getTheme(c)
  const look = theme === 'system' ? '' : `-${theme}`
  return signedIn ? `page-${BUILD}${look}-${role}${admin ? '-admin' : ''}` : `page-${BUILD}${look}`
}

/** A document and the number that its next view will have. */
const nextView = (c: AppContext, document: Document) => ({
  document,
  views: c.var.store.views.current(document.id, document.views) + 1,
  now: c.var.now,
})

/** Shows what was delivered. */
function deliveryPage(c: AppContext, delivery: Delivery, visitor: Visitor) {
  const { content, document } = delivery
  const cut = planChunks(content)
  const shown = { ...delivery, visitor, cut, now: c.var.now }
  return pageWithText(c, content, (text) => <DocumentPage {...shown} text={text} />, {
    headers: documentHeaders(document, representationFor(c, visitor)),
    write: cut.linesPerChunk === null ? undefined : (text) => writeChunks(text, cut),
  })
}

/** The page of a document, which changes nothing: previews, scanners and prefetching may all ask for it. */
export const documentPages = new Hono<AppEnv>()
  .onError(answerDocumentError)
  .get('/:id', async (c) => {
    const { identity, now, store } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    const visitor = await visitorOf(c, document)
    const { signedIn } = visitor
    const representation = representationFor(c, visitor)
    const headers = documentHeaders(document, representation)
    if (isFresh(c.req.header('If-None-Match'), document, representation))
      return answer(c, null, { status: 304, headers })
    if (c.req.method === 'HEAD') return answerHtml(c, '', { headers })
    if (await burnsFor(document, identity.ask)) {
      const readOnce = <ReadOncePage document={document} action={`/${document.id}`} signedIn={signedIn} />
      return page(c, readOnce, { headers })
    }
    if (document.encrypted)
      return page(c, <PasswordPage {...nextView(c, document)} visitor={visitor} />, { headers })
    return deliveryPage(c, await deliver(store, document, { viewer: identity.ask, proof: {}, now }), visitor)
  })
  .post('/:id', limitBody(MAX_PASSWORD_FORM_BYTES), async (c) => {
    const { identity, now, store } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    if (!document.encrypted && !document.burnAfterReading) return seeOther(c, `/${document.id}`)
    // Nobody's browser is made to read, and so to delete, what its user did not ask for.
    if (document.burnAfterReading && isFromThisSite(c) === false) throw foreignForm()
    const password = (await readFields(c)).get('password') || undefined
    const visitor = await visitorOf(c, document)
    const { signedIn } = visitor
    return submitForm(c, {
      submit: async () => {
        if (document.encrypted && password === undefined) throw passwordNeeded()
        const delivery = await deliver(store, document, { viewer: identity.ask, proof: { password }, now })
        return deliveryPage(c, delivery, visitor)
      },
      handles: (error) => error instanceof PasswordError,
      showAgain: async (_, options) => {
        const wrong = password !== undefined
        const again = (await burnsFor(document, identity.ask)) ? (
          <ReadOncePage document={document} action={`/${document.id}`} signedIn={signedIn} wrong={wrong} />
        ) : (
          <PasswordPage {...nextView(c, document)} visitor={visitor} wrong={wrong} />
        )
        return page(c, again, options)
      },
    })
  })
  // 405 is for addresses that a document can have.
  .all('/:id', (c, next) => {
    if (!isDocumentId(c.req.param('id'))) throw routeNotFound()
    return next()
  })
