import { Hono } from 'hono'
import { deleteDocument } from '../../documents/delete.ts'
import { type Document, getOriginal, isCreator, type Original } from '../../documents/document.ts'
import {
  burnsFor,
  type Delivery,
  deliver,
  documentAt,
  requireFound,
  retryWhileStale,
  StoredContent,
} from '../../documents/read.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import {
  crossSiteForm,
  fileNotFound,
  notTheCreator,
  PasswordError,
  passwordRequired,
  routeNotFound,
} from '../../errors.ts'
import {
  type AnswerOptions,
  answer,
  documentHeaders,
  isFresh,
  type Representation,
  VARY_BY_FORM,
} from '../../http/answers.ts'
import { limitBody } from '../../http/bodies.ts'
import { findDocumentOnPrimary, findDocumentToRead } from '../../http/find-document.ts'
import {
  askSession,
  deletedDocumentTokenCookies,
  isFromThisSite,
  NOTHING,
  requireManager,
} from '../../http/identity.ts'
import { limitDelivery, limitLongText } from '../../http/limits.ts'
import { answerDocumentError } from '../../moderation/removed-page.tsx'
import { contentSecurityPolicy } from '../../platform/security-headers.ts'
import { SLICE_CHARACTERS } from '../../platform/streaming.ts'
import { type Display, getDisplayClasses } from '../../shared/display.ts'
import { isDocumentAddress, isDocumentId, toAddress } from '../../shared/document-ids.ts'
import { toSlugs } from '../../shared/files.ts'
import { findFiles, mayHaveFiles } from '../../shared/find-files.ts'
import { findLanguageOfExtension, TXTAR } from '../../shared/languages.ts'
import { toShownLines } from '../../shared/lines.ts'
import { linkText } from '../../shared/links.ts'
import { findArchiveProblem, type TextFile } from '../../shared/txtar.ts'
import { BUILD, SCRIPTS } from '../../ui/assets.generated.ts'
import {
  DELETE_CONFIRMATION,
  DeletionText,
  getViewerAccess,
  type ViewerAccess,
} from '../../ui/document-header.tsx'
import { answerErrorPage } from '../../ui/errors.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/layout.tsx'
import { type AskedView, findTableLanguage, getShownLanguage } from '../../ui/numbered-text.tsx'
import {
  answerHtml,
  DEVICE_PATH,
  getDisplay,
  getTheme,
  PRIVATE_HEADERS,
  page,
  seeOther,
  YOUR_DOCUMENTS_PATH,
} from '../../ui/page.tsx'
import { MAX_PASSWORD_FORM_BYTES, readFields, submitForm } from '../../ui/submitted-form.ts'
import { getTextFacts } from '../../ui/text-facts.ts'
import { type EditOffer, getEditOffer } from '../editing/form-values.ts'
import { DocumentPage, FilesPage } from './document-page.tsx'
import { FirstRows } from './first-rows.tsx'
import { ProtectedPage } from './protected-page.tsx'

/** Reads `abc12345.py`, for example. There's no language without a file extension, or for an unknown one. */
function parsePageAddress(c: AppContext<'/:address'>) {
  const name = c.req.param('address')
  const address = toAddress(name)
  const extension = name
    .slice(address.length + 1)
    .split('.')
    .filter(Boolean)
  const language = extension.length === 0 ? null : findLanguageOfExtension(extension.join('.'))
  const view: AskedView = { language, asSource: c.req.url.includes('view=source') }
  return { address, view, action: language === null ? `/${address}` : `/${name}` }
}

interface PageProps {
  readonly access: ViewerAccess
  /** The settings that the menu of the page can change. */
  readonly offer: EditOffer | null
  readonly display: Display
  readonly view: AskedView
  readonly original: Original | null
}

/** Diagrams are drawn in a frame. */
const DIAGRAM_HEADERS = { 'Content-Security-Policy': contentSecurityPolicy({ frames: true }) }
const LANGUAGES_WITH_DIAGRAMS: readonly string[] = ['markdown', 'mermaid', TXTAR]

/** Pages vary, because programs get text from the same address. */
const pageHeaders = (document: Document, view: AskedView, representation: Representation) => ({
  ...documentHeaders(document, representation),
  ...(LANGUAGES_WITH_DIAGRAMS.includes(getShownLanguage(document, view)) && DIAGRAM_HEADERS),
  ...VARY_BY_FORM,
})

/** Returns a name for everything that the page depends on besides the document. */
function getRepresentation(
  c: AppContext,
  { access: { signedIn, role, admin }, display, view, original }: PageProps,
): Representation {
  const theme = getTheme(c)
  const { tag } = c.var.config.site
  const parts = [
    ...(tag === null ? [] : [tag]),
    ...(theme === 'system' ? [] : [theme]),
    ...getDisplayClasses(display),
    ...(display.wrapped === false ? ['unwrapped'] : display.isNarrow ? ['narrow'] : []),
    ...(view.language === null ? [] : ['as', view.language]),
    ...(signedIn ? [role] : []),
    ...(!signedIn && role !== 'reader' ? ['token'] : []),
    ...(admin ? ['admin'] : []),
    // Another viewer, or the same one later, may not get to know of it.
    ...(original ? ['duplicate'] : []),
  ]
  return ['page', BUILD, ...parts].join('-') as `page-${string}`
}

async function findOffer(
  c: AppContext,
  document: Document,
  { role }: ViewerAccess,
): Promise<EditOffer | null> {
  if (role === 'reader') return null
  const { config, now } = c.var
  return getEditOffer(document, { ...(await askSession(c, NOTHING)), config, now })
}

async function findPageProps(
  c: AppContext,
  document: Document,
  { view, original }: Pick<PageProps, 'view' | 'original'>,
): Promise<PageProps> {
  const access = await getViewerAccess(c, document)
  return { access, offer: await findOffer(c, document, access), display: getDisplay(c), view, original }
}

const countsFor = ({ role }: ViewerAccess): boolean => role !== 'creator'

interface ProtectedPageOptions {
  readonly document: Document
  readonly burns: boolean
  readonly action: string
  readonly wrong?: boolean
  readonly options: AnswerOptions
}

/** Shows neither the text nor anything else that only its reader may see. */
export async function showProtectedPage(
  c: AppContext,
  { options, ...asked }: ProtectedPageOptions,
  pageProps: Omit<PageProps, 'original'>,
): Promise<Response> {
  const { now, store } = c.var
  const { id, views } = asked.document
  const { access } = pageProps
  const props = { ...asked, ...pageProps, now }
  return page(
    c,
    <ProtectedPage {...props} views={store.views.current(id, views) + (countsFor(access) ? 1 : 0)} />,
    options,
  )
}

function renderFirstRows({ document, burned, content }: Delivery, language: 'csv' | 'tsv') {
  const sourcePath = burned || document.encrypted ? null : `/${document.id}?view=source`
  return <FirstRows content={content} language={language} sourcePath={sourcePath} />
}

/**
 * Finds the file of a document that its page is opened at. If the document lacks it, the page says so. Returns null if the
 * document has no files.
 */
async function findFileAddress(c: AppContext, found: Document, name: string): Promise<string | null> {
  const { now, store } = c.var
  const asked = `/${found.id}?${new URLSearchParams({ file: name })}`
  // Only the reader's browser knows the names in an encrypted document, and reading another one could delete it.
  if (found.encrypted || found.burnAfterReading) return found.language === TXTAR ? asked : null
  if (!mayHaveFiles(found)) return null
  await limitLongText(c, found.contentBytes)
  const text = await retryWhileStale(store, found, now, (document) =>
    document.encrypted || document.burnAfterReading
      ? Promise.resolve('')
      : new StoredContent(store.contents, document).read(),
  )
  const names = findFiles(found, text)?.map((file) => file.name)
  if (!names) return null
  const slug = toSlugs(names)[names.indexOf(name)]
  return slug === undefined ? asked : `/${found.id}#${encodeURIComponent(slug)}`
}

const answerFiles = (
  c: AppContext,
  delivery: Delivery,
  pageProps: PageProps,
  files: readonly TextFile[],
): Promise<Response> => {
  const asked = c.req.query('file')
  const missingFile = asked !== undefined && files.every(({ name }) => name !== asked) ? asked : null
  const facts = getTextFacts(delivery.document, delivery.content, files)
  const props = { ...delivery, ...pageProps, facts, files, missingFile, now: c.var.now }
  const headers = pageHeaders(delivery.document, pageProps.view, getRepresentation(c, pageProps))
  return page(c, <FilesPage {...props} />, { headers })
}

async function answerDelivery(c: AppContext, delivery: Delivery, pageProps: PageProps): Promise<Response> {
  const { content, document } = delivery
  const { asSource, language } = pageProps.view
  const files = language === null ? findFiles(document, content) : null
  if (files && !asSource) return answerFiles(c, delivery, pageProps, files)
  const shown = toShownLines(content)
  const facts = getTextFacts(document, shown)
  const { chunks } = facts
  const tableLanguage = findTableLanguage(document, pageProps.view)
  const firstRows = tableLanguage && !facts.hasEscapes && renderFirstRows(delivery, tableLanguage)
  const props = {
    ...delivery,
    ...pageProps,
    firstRows,
    facts,
    now: c.var.now,
    hasCr: shown !== content,
    isArchive: files !== null,
    filesProblem: document.language === TXTAR && language === null ? findArchiveProblem(content) : null,
  }
  const headers = pageHeaders(document, pageProps.view, getRepresentation(c, pageProps))
  if (shown.length > SLICE_CHARACTERS) return page(c, <DocumentPage {...props} text={shown} />, { headers })
  // The addresses in a text that is laid out as a whole are links. In a longer one, a script finds the visible ones.
  const hasLinks = chunks.linesPerChunk === null && /:\/\/|mailto:/i.test(shown)
  const linked = hasLinks ? linkText(shown) : null
  return page(c, <DocumentPage {...props} text={shown} html={linked} />, { headers })
}

function requireId(id: string): string {
  if (!isDocumentAddress(id)) throw routeNotFound()
  return id
}

/** A GET never burns the document, since previews, scanners and prefetching send one too. */
export const documentPages = new Hono<AppEnv>()
  .onError(answerDocumentError)
  .get('/:address', async (c) => {
    const { now, store } = c.var
    const { address, view, action } = parsePageAddress(c)
    const { document, viewer } = await findDocumentToRead(c, address)
    const pageProps = await findPageProps(c, document, {
      view,
      original: getOriginal(document, { viewer, now }),
    })
    const representation = getRepresentation(c, pageProps)
    const headers = pageHeaders(document, view, representation)
    if (isFresh(c.req.header('If-None-Match'), document, representation))
      return answer(c, null, { status: 304, headers })
    if (c.req.method === 'HEAD') return answerHtml(c, '', { headers })
    const burns = burnsFor(document, viewer)
    if (burns || document.encrypted)
      return showProtectedPage(c, { document, burns, action, options: { headers } }, pageProps)
    const file = c.req.query('file')
    const path = file === undefined ? null : await findFileAddress(c, document, file)
    if (path?.includes('#')) return seeOther(c, path)
    await limitLongText(c, document.contentBytes)
    const counts = countsFor(pageProps.access)
    const delivery = await deliver(store, document, { viewer, proof: {}, now, counts, mayBurn: false })
    return answerDelivery(c, delivery, pageProps)
  })
  .post('/:address', limitBody(MAX_PASSWORD_FORM_BYTES), async (c) => {
    const { now, store } = c.var
    const { address, view, action } = parsePageAddress(c)
    const { document, viewer } = await findDocumentOnPrimary(c, address)
    if (!document.encrypted && !document.burnAfterReading) return seeOther(c, action)
    // No other site can make a browser read, and so delete, a document.
    if (document.burnAfterReading && isFromThisSite(c) === false) throw crossSiteForm()
    const password = (await readFields(c)).get('password') || undefined
    const pageProps = await findPageProps(c, document, { view, original: null })
    return submitForm(c, {
      submit: async () => {
        if (document.encrypted && password === undefined) throw passwordRequired()
        await limitDelivery(c, document, { viewer, proof: { password } })
        await limitLongText(c, document.contentBytes)
        const delivery = await deliver(store, document, {
          viewer,
          proof: { password },
          now,
          counts: countsFor(pageProps.access),
        })
        return answerDelivery(c, delivery, pageProps)
      },
      handles: (error) => error instanceof PasswordError,
      showAgain: async (_, options) => {
        const burns = burnsFor(document, viewer)
        const wrong = password !== undefined
        return showProtectedPage(c, { document, burns, action, wrong, options }, pageProps)
      },
    })
  })
  .get('/:id/:name{.+}', async (c) => {
    const { id, name } = c.req.param()
    const { document } = await findDocumentToRead(c, requireId(id))
    const path = await findFileAddress(c, document, name)
    if (path === null) throw fileNotFound()
    return seeOther(c, path)
  })
  // Only the methods above look for a document. For all others, an address that none can have is no route.
  .all('/:address', (c, next) => {
    requireId(parsePageAddress(c).address)
    return next()
  })
  .all('/:id/:name{.+}', (c, next) => {
    requireId(c.req.param('id'))
    return next()
  })

/** The address that documents had in the first version of the original service. */
export const formerAddress = new Hono<AppEnv>().get('/:address', (c) => {
  const address = c.req.param('address')
  if (!isDocumentId(address.split('.', 1)[0] ?? '')) throw routeNotFound()
  const { search } = new URL(c.req.url)
  return answer(c, null, { status: 301, headers: { Location: `/${encodeURIComponent(address)}${search}` } })
})

const findManagedDocument = (c: AppContext<'/:id/delete'>) =>
  requireManager(c, documentAt(c.req.param('id'), c.var.now), 'session')

export const deletion = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/delete', async (c) => {
    const { user, viewer, found } = await findManagedDocument(c)
    const document = requireFound(found)
    if (!isCreator(document, viewer)) throw notTheCreator()
    const { title, button } = DELETE_CONFIRMATION
    return page(
      c,
      <Notice title={title} signedIn={user !== null} scripts={[SCRIPTS.form]}>
        <Form button={button} look="danger" action={`/${document.id}/delete`}>
          <DeletionText document={document} />
        </Form>
        <p class="quiet-text">
          <a href={`/${document.id}`}>Back to the document</a>
        </p>
      </Notice>,
      { headers: PRIVATE_HEADERS },
    )
  })
  .post('/:id/delete', async (c) => {
    const { now, store } = c.var
    const { user, viewer, found } = await findManagedDocument(c)
    const id = found?.id ?? c.req.param('id')
    await deleteDocument(store, { address: id, found, viewer, now })
    const cookies = deletedDocumentTokenCookies(c, id)
    // A script of that page lets the browser forget the document.
    const byToken = user === null || cookies.length > 0
    return seeOther(c, byToken ? `${DEVICE_PATH}?deleted=${id}` : YOUR_DOCUMENTS_PATH, cookies)
  })
