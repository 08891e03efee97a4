import { Hono } from 'hono'
import type { Config } from '../../config.ts'
import { type Document, holdsToken, isCreator, mayEdit } from '../../documents/document.ts'
import { editDocument, readStoredContent, readToEdit } from '../../documents/edit.ts'
import { requireFound, type StoredContent, visibleDocument } from '../../documents/read.ts'
import { documentWithRevisions, readRevision, requireRevision } from '../../documents/revisions.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { type AppError, documentNotFound, editNotAllowed, PasswordError } from '../../errors.ts'
import {
  type AnswerOptions,
  checkIfMatch,
  DocumentChangedError,
  entityTag,
  rejectOtherMethods,
} from '../../http/answers.ts'
import { limitBody } from '../../http/bodies.ts'
import {
  type Manager,
  NOTHING,
  renewedDocumentTokenCookies,
  requireManager,
  requireThisSite,
} from '../../http/identity.ts'
import { limitAttempts, limitLongText } from '../../http/limits.ts'
import { authorizeSettings } from '../../http/permissions.ts'
import { MAX_LAG_MS } from '../../platform/nearest-copy.ts'
import { isDocumentId } from '../../shared/document-ids.ts'
import { EXPIRY_CHOICES, NEVER } from '../../shared/expiry.ts'
import { formatAge } from '../../shared/format.ts'
import { MINUTE_MS } from '../../shared/instant.ts'
import { PLAIN_TEXT } from '../../shared/languages.ts'
import { answerErrorPage, formatProblem } from '../../ui/errors.tsx'
import { PRIVATE_HEADERS, seeOther } from '../../ui/page.tsx'
import { limitDocumentForm, readDocumentFields, submitForm } from '../../ui/submitted-form.ts'
import { answerDuplicate } from '../home/home.tsx'
import type { EditAccess } from './edit-pages.tsx'
import { answerEditor, ConflictPage, EditPage, LockedPage } from './edit-pages.tsx'
import { addEditorFromForm, leaveFromForm, removeEditorFromForm, showEditors } from './editors.tsx'
import { addFileBox, type JoinedFields, joinFileFields, requireFileNames } from './file-fields.tsx'
import {
  type EditValues,
  getChanges,
  getEditOffer,
  newEditValues,
  parseEditValues,
  restoreOffer,
} from './form-values.ts'

type EditPageContext = AppContext<'/:id/edit'>

const requireDocumentManager = (c: EditPageContext) =>
  requireManager(c, visibleDocument(c.req.param('id'), c.var.now), 'session')

type DocumentManager = Awaited<ReturnType<typeof requireDocumentManager>>

function requireEditable({ viewer, found }: DocumentManager): Document {
  const document = requireFound(found)
  if (!mayEdit(document, viewer)) throw editNotAllowed()
  return document
}

function describeExpiry(expiresAt: number, now: number): string {
  if (expiresAt === NEVER) return EXPIRY_CHOICES.never.label
  return formatAge(expiresAt, now).replace(/^i/, 'I')
}

const getLagMinutes = ({ readFrom }: Config): number => (readFrom === 'nearest' ? MAX_LAG_MS / MINUTE_MS : 0)

const getAccess = (c: EditPageContext, document: Document, { user, viewer }: Manager): EditAccess => ({
  signedIn: user !== null,
  byToken: holdsToken(document, viewer),
  offer: getEditOffer(document, { user, viewer, config: c.var.config, now: c.var.now }),
  expiry: describeExpiry(document.expiresAt, c.var.now),
  lagMinutes: getLagMinutes(c.var.config),
})

interface OpenedText {
  readonly document: Document
  readonly stored: string
  readonly password?: string
  /** The number of the earlier version that `stored` is. */
  readonly earlier?: number
}

async function showText(
  c: EditPageContext,
  manager: Manager,
  { document, stored, password, earlier }: OpenedText,
): Promise<Response> {
  const access = getAccess(c, document, manager)
  const kept = document.encrypted && password ? password : null
  const values = newEditValues(document, { password: kept, offer: access.offer })
  const form = { document, access, stored, earlier, values: { ...values, text: stored } }
  return answerEditor(c, <EditPage {...form} />, { headers: PRIVATE_HEADERS })
}

/** Reads the text of a version. Saving makes it the current one. */
async function readVersion(c: EditPageContext, number: number, { viewer }: DocumentManager): Promise<string> {
  const { now, store } = c.var
  const [found] = await store.db.ask(documentWithRevisions(c.req.param('id'), now, number))
  const version = requireRevision(found, viewer)
  await limitLongText(c, version.revision.bytes)
  return readRevision(store, version, { viewer, now })
}

async function showForm(c: EditPageContext, manager: DocumentManager): Promise<Response> {
  const { now, store } = c.var
  const found = requireEditable(manager)
  await limitLongText(c, found.contentBytes)
  const { document, stored } = await readStoredContent(store, found, { viewer: manager.viewer, now })
  const earlier = Number(c.req.query('version') ?? document.revision)
  if (!document.encrypted && Number.isSafeInteger(earlier) && earlier !== document.revision)
    return showText(c, manager, { document, stored: await readVersion(c, earlier, manager), earlier })
  if (!document.encrypted) return showText(c, manager, { document, stored })
  const proves = isCreator(document, manager.viewer) || document.proofHash !== null
  const form = { document, access: getAccess(c, document, manager), onServer: !proves }
  const lockedPage = <LockedPage {...form} jwe={proves ? stored : null} />
  return answerEditor(c, lockedPage, { headers: PRIVATE_HEADERS })
}

/** Is for a browser without scripts: the server decrypts. */
async function showDecryptedForm(
  c: EditPageContext,
  manager: DocumentManager,
  password: string,
): Promise<Response> {
  const { now, store } = c.var
  const { viewer } = manager
  const found = requireEditable(manager)
  return submitForm(c, {
    submit: async () => {
      await limitAttempts(c, found.id)
      const { document, text } = await readToEdit(store, found, { viewer, password, now })
      return showText(c, manager, { document, stored: text, password })
    },
    handles: (error) => error instanceof PasswordError,
    showAgain: async (_, options) => {
      const form = { document: found, access: getAccess(c, found, manager), wrong: true }
      return answerEditor(c, <LockedPage {...form} />, options)
    },
  })
}

/**
 * Answers a save that came after somebody else's. If the two versions are the same, the form was submitted twice, and
 * the user goes to the document.
 */
async function answerConflict(
  c: EditPageContext,
  sent: EditValues,
  { found, options }: { found: Document; options: Required<AnswerOptions> },
): Promise<Response> {
  const manager = await requireManager(c, NOTHING, 'session')
  const { viewer } = manager
  const { config, now, store } = c.var
  const password = sent.password ?? undefined
  const unread = { document: found, text: null }
  const { document, text: present } =
    sent.text === null
      ? unread
      : await readToEdit(store, found, { viewer, password, now }).catch((thrown) => {
          if (thrown instanceof PasswordError) return unread
          throw thrown
        })
  const access = getAccess(c, document, manager)
  if (sent.text === null || present !== null) {
    const { maxContentBytes } = config
    const { nothing } = getChanges(sent, { document, present, maxContentBytes, offer: access.offer, now })
    if (nothing) return seeOther(c, `/${document.id}`)
  }
  const values = { ...sent, version: entityTag(document, 'json') }
  const form = { document, access, values, savedText: present }
  return answerEditor(c, <ConflictPage {...form} />, options)
}

const GONE =
  'This document no longer exists: it expired or was deleted. Copy your text before you leave this page.'

async function showAgain(
  c: EditPageContext,
  sent: EditValues,
  { error, options }: { error: AppError; options: Required<AnswerOptions> },
): Promise<Response> {
  const { config, hasSessionCookie: signedIn } = c.var
  const id = c.req.param('id')
  const language = sent.settings?.language ?? PLAIN_TEXT
  const offer = sent.settings && restoreOffer(sent.settings, { signedIn, config })
  const editPage = (
    <EditPage
      document={{ id, language }}
      access={{
        signedIn,
        byToken: false,
        offer,
        expiry: 'Don’t change',
        lagMinutes: getLagMinutes(config),
      }}
      values={sent}
      problem={error.code === 'not_found' ? GONE : formatProblem(error)}
      wrongPassword={error instanceof PasswordError}
    />
  )
  return answerEditor(c, editPage, options)
}

/** Is for a browser without scripts: others copy the text that their page has. */
async function showDuplicate(c: EditPageContext): Promise<Response> {
  const { now, store } = c.var
  const { user, viewer, found } = await requireDocumentManager(c)
  const { document, stored } = await readStoredContent(store, requireFound(found), { viewer, now })
  if (document.encrypted) return seeOther(c, `/${document.id}`)
  return answerDuplicate(c, user, document, stored)
}

/** Answers a browser without scripts that asked for one more. */
async function showFileBoxes(c: EditPageContext, sent: EditValues, joined: JoinedFields): Promise<Response> {
  const manager = await requireDocumentManager(c)
  const document = requireEditable(manager)
  const { files, title } = addFileBox(joined)
  const settings = sent.settings && { ...sent.settings, title: sent.settings.title === null ? null : title }
  const form = { document, access: getAccess(c, document, manager), values: { ...sent, files, settings } }
  return answerEditor(c, <EditPage {...form} />, { headers: PRIVATE_HEADERS })
}

/** @throws an error with the problems of the form, or DocumentChangedError if somebody else saved first. */
async function save(c: EditPageContext, sent: EditValues): Promise<string[]> {
  const { config, now, store } = c.var
  const checkPrecondition = checkIfMatch(sent.version)
  requireFileNames(sent.files ?? null)
  if (sent.password !== null) await limitAttempts(c, c.req.param('id'))
  const { user, viewer, found } = await requireDocumentManager(c)
  const makeEdit = async (document: Document, content: StoredContent) => {
    const present = sent.text === null ? null : await content.readText(sent.password ?? undefined)
    const offer = getEditOffer(document, { user, viewer, config, now })
    const context = { document, present, maxContentBytes: config.maxContentBytes, offer, now }
    const { edit, usesSettings } = getChanges(sent, context)
    // The holder of the document's token needs no confirmed account to use settings.
    if (!holdsToken(document, viewer)) authorizeSettings(user, usesSettings)
    return edit
  }
  const { document } = await editDocument(store, requireFound(found), makeEdit, {
    viewer,
    now,
    checkPrecondition,
  })
  return renewedDocumentTokenCookies(c, document, viewer)
}

const edit = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/edit', async (c) => showForm(c, await requireDocumentManager(c)))
  .post(
    '/:id/edit',
    // If another site sent the form, don't show its values as if the user had typed them.
    requireThisSite,
    limitDocumentForm,
    async (c) => {
      const joined = joinFileFields(await readDocumentFields(c))
      const { fields, files } = joined
      if (fields.has('duplicate')) return showDuplicate(c)
      if (!fields.has('version')) {
        const manager = await requireDocumentManager(c)
        const password = fields.get('password') || undefined
        return password === undefined ? showForm(c, manager) : showDecryptedForm(c, manager, password)
      }
      // The form is shown again even if nobody is signed in, and it links to this address.
      if (!isDocumentId(c.req.param('id'))) throw documentNotFound()
      const sent = { ...parseEditValues(fields), files }
      if (fields.has('add')) return showFileBoxes(c, sent, joined)
      const again = (error: AppError, options: Required<AnswerOptions>) =>
        showAgain(c, sent, { error, options })
      return submitForm(c, {
        submit: async () => {
          const cookies = await save(c, sent)
          return seeOther(c, `/${c.req.param('id')}`, cookies)
        },
        showAgain: (error, options) =>
          error instanceof DocumentChangedError
            ? submitForm(c, {
                submit: () => answerConflict(c, sent, { found: error.document, options }),
                showAgain: again,
              })
            : again(error, options),
      })
    },
  )

/** The limit is more than a username and an account's id take. */
const limitEditorForm = limitBody(4 * 1024)

const editors = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/editors', (c) => showEditors(c))
  .post('/:id/editors/add', limitEditorForm, addEditorFromForm)
  .post('/:id/editors/remove', limitEditorForm, removeEditorFromForm)
  .post('/:id/editors/leave', leaveFromForm)

export const routes = new Hono<AppEnv>()
  .route('/', rejectOtherMethods(edit))
  .route('/', rejectOtherMethods(editors))
