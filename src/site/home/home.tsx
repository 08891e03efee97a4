import { Hono } from 'hono'
import { findDefaults } from '../../accounts/profile.ts'
import type { User } from '../../accounts/user.ts'
import type { Turnstile } from '../../config.ts'
import { toContent } from '../../documents/content.ts'
import { createDocument, plainDocument } from '../../documents/create.ts'
import { type Document, getNamedAddress } from '../../documents/document.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import {
  type AppError,
  crossSiteForm,
  humanCheckFailed,
  signInRequired,
  toAppError,
  unavailable,
  unreadableForm,
} from '../../errors.ts'
import { canCreateGists, requireGistPermission } from '../../gists/gist-permission.ts'
import {
  type AnswerOptions,
  errorOptions,
  logServerFault,
  rejectOtherMethods,
  VARY_BY_FORM,
  wantsJson,
} from '../../http/answers.ts'
import { documentTokenCookie } from '../../http/cookies.ts'
import { publishNewGist } from '../../http/gists.ts'
import { readIdempotentRequest } from '../../http/idempotency.ts'
import { askAccount, askSession, isFromThisSite, NOTHING } from '../../http/identity.ts'
import { requireAuthor } from '../../http/permissions.ts'
import { logDocument } from '../../http/request-log.ts'
import { fetchOutside, parseJsonAnswer } from '../../platform/outgoing.ts'
import { isDocumentId } from '../../shared/document-ids.ts'
import { CONVERT_COMMAND, decodeBytes } from '../../shared/encodings.ts'
import { type CreateAnswer, parseUsernames, SERVICE_DEFAULTS } from '../../shared/form-settings.ts'
import { joinCrLf } from '../../shared/lines.ts'
import { MAX_TITLE_CHARACTERS } from '../../shared/settings.ts'
import { answerErrorPage, formatProblem } from '../../ui/errors.tsx'
import { answerJson, PRIVATE_HEADERS, page, seeOther, withCookies } from '../../ui/page.tsx'
import {
  limitDocumentForm,
  readDocumentFields,
  requireSameAccount,
  submitForm,
} from '../../ui/submitted-form.ts'
import { addFileBox, type JoinedFields, joinFileFields, requireFileNames } from '../editing/file-fields.tsx'
import {
  getOffer,
  invalidField,
  type NewDocumentValues,
  parseNewSettings,
  requireOffered,
  restoreSettings,
} from '../editing/form-values.ts'
import type { FormProblem } from './home-pages.tsx'
import { answerEditor, CreatedPage, HomePage, SignInToCreatePage, signInToShare } from './home-pages.tsx'

interface SentForm {
  readonly fields: ReadonlyMap<string, string>
  readonly text: string
  readonly isText: boolean
  readonly files: JoinedFields['files']
}

/** A script sends the text as a file, because forms replace line breaks and NUL in a field. */
async function readSentForm(c: AppContext): Promise<SentForm> {
  const { fields, files } = joinFileFields(await readDocumentFields(c))
  const { content } = await c.req.parseBody()
  if (!(content instanceof File))
    return { fields, files, text: joinCrLf(fields.get('content') ?? ''), isText: true }
  const text = await readText(content)
  return { fields, files, text: text ?? '', isText: text !== null }
}

/** Returns null for other bytes than those of a text. */
async function readText(file: File): Promise<string | null> {
  try {
    return decodeBytes(new Uint8Array(await file.arrayBuffer())).text
  } catch {
    return null
  }
}

const TURNSTILE_FIELD = 'cf-turnstile-response'

/** A longer value can't be a token (developers.cloudflare.com/turnstile). */
const MAX_TOKEN_CHARACTERS = 2048

async function verify({ verifyUrl, secret }: Turnstile, token: string): Promise<boolean> {
  const response = await fetchOutside(verifyUrl, {
    method: 'POST',
    // Not the client's address: Cloudflare knows it from the widget.
    body: new URLSearchParams({ secret, response: token }),
  })
  if (response.status !== 200) throw new Error(`Turnstile answered ${response.status}`)
  const answer = parseJsonAnswer(response)
  return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true
}

/** Each token works once. @throws AppError `bad_auth` without a valid one, `unavailable` if Cloudflare doesn't answer. */
async function requireHuman(turnstile: Turnstile, token: string | undefined): Promise<void> {
  if (!token || token.length > MAX_TOKEN_CHARACTERS) throw humanCheckFailed()
  const isHuman = await verify(turnstile, token).catch((error) => {
    throw unavailable(error)
  })
  if (!isHuman) throw humanCheckFailed()
}

const notText = () => invalidField('content', `Must be UTF-8. Convert other encodings: ${CONVERT_COMMAND}`)

function parseForm({ config, now }: AppContext['var'], form: SentForm) {
  const settings = parseNewSettings(form.fields, now)
  if (!form.isText) throw notText()
  requireFileNames(form.files)
  const content = toContent(form.text, form.fields.has('client_encrypted'), config.maxContentBytes)
  const original = form.fields.get('duplicated_from') ?? ''
  return {
    ...plainDocument(content, now),
    ...settings,
    // Nobody could correct a field that isn't displayed.
    duplicatedFrom: isDocumentId(original) ? original : null,
  }
}

/** The same when the script sends the form again. */
const getRepeatedFields = ({ fields }: SentForm) =>
  Object.fromEntries([...fields].filter(([name]) => name !== TURNSTILE_FIELD && name !== 'content'))

type CreatedDocument = Awaited<ReturnType<typeof createDocument>>

async function createFromForm(c: AppContext, form: SentForm): Promise<CreatedDocument> {
  const { config, now, store } = c.var
  requireSameAccount(form.fields, (await askAccount(c, NOTHING)).user)
  const creator = await requireAuthor(c, { refuse: signInRequired, checksHuman: true })
  const input = parseForm(c.var, form)
  requireOffered(input, { user: creator, config, now })
  // Last, because each token works once.
  const { turnstile } = config.abuse
  if (!creator && turnstile) await requireHuman(turnstile, form.fields.get(TURNSTILE_FIELD))
  if (input.gist) await requireGistPermission(store.db, config.authSecret, creator?.id ?? null)
  const idempotent = readIdempotentRequest(c, creator, getRepeatedFields(form))
  const created = await createDocument(store, input, { creator, now, idempotent })
  logDocument(c, created.document.id)
  if (input.gist && created.document.gistUrl === null) await publishNewGist(c, created.document.id)
  return created
}

export function answerJsonError(thrown: unknown, c: AppContext): Response {
  const error = toAppError(thrown)
  logServerFault(c, error)
  return answerCreateError(c, error, errorOptions(error))
}

function answerCreateError(
  c: AppContext,
  { code, message, pageMessage = message, issues }: AppError,
  options: AnswerOptions,
): Response {
  return answerJson(c, { error: { code, message: pageMessage, ...(issues && { errors: issues }) } }, options)
}

async function getInitialValues(c: AppContext, user: User | null) {
  const { config, store } = c.var
  const base = {
    accountId: user?.id ?? null,
    offer: getOffer(user, config),
    turnstileSiteKey: user ? null : (config.abuse.turnstile?.siteKey ?? null),
    name: '',
    editors: '',
    duplicatedFrom: '',
  }
  if (!user?.confirmed) return { ...base, settings: SERVICE_DEFAULTS, gist: null }
  const [settings, mayCreateGists] = await Promise.all([
    findDefaults(store.db, user.id),
    // Nobody can have connected GitHub where nobody can sign in.
    config.authSecret !== null && canCreateGists(store.db, config.authSecret, user.id),
  ])
  return { ...base, settings, gist: mayCreateGists ? false : null }
}

function restoreValues(
  c: AppContext,
  { fields, files, text }: SentForm,
  user: User | null,
): NewDocumentValues {
  return {
    text,
    files,
    title: fields.get('title') ?? '',
    // Sending the form again is meant for the account that is signed in now.
    accountId: user?.id ?? fields.get('account') ?? null,
    settings: restoreSettings(fields),
    // Someone whose session has ended is about to sign in again.
    offer: getOffer(user ?? (fields.has('visibility') ? { confirmed: true } : null), c.var.config),
    turnstileSiteKey: user ? null : (c.var.config.abuse.turnstile?.siteKey ?? null),
    name: fields.get('name') ?? '',
    editors: fields.get('editors') ?? '',
    gist: fields.has('create_gist') || null,
    duplicatedFrom: fields.get('duplicated_from') ?? '',
  }
}

function describeProblem(error: AppError, { fields }: SentForm): FormProblem {
  const field = error.issues?.[0]?.path.find((part) => part !== 'settings')
  return {
    message: (
      <>
        {formatProblem(error, parseUsernames(fields.get('editors') ?? ''))}
        {fields.get('password') && ' Enter the password again.'}
      </>
    ),
    field: field === undefined ? null : String(field),
  }
}

async function showAgain(
  c: AppContext,
  form: SentForm,
  { error, options }: { error: AppError; options: Required<AnswerOptions> },
): Promise<Response> {
  if (wantsJson(c)) return answerCreateError(c, error, options)
  // Where the session can't be read, that is the error to show.
  const { user } = await askSession(c, NOTHING).catch(() => ({ user: null }))
  // Content over the limit is too much for anybody to have typed, and isn't sent back.
  const text = error.code === 'content_too_large' ? '' : form.text
  const values = restoreValues(c, { ...form, text }, user)
  const problem = describeProblem(error, form)
  return answerHome(c, { values, signedIn: c.var.hasSessionCookie, problem }, options)
}

async function answerHome(
  c: AppContext,
  props: { readonly values: NewDocumentValues; readonly signedIn: boolean; readonly problem?: FormProblem },
  options: AnswerOptions,
): Promise<Response> {
  const turnstile = props.values.turnstileSiteKey !== null
  return answerEditor(c, <HomePage {...props} />, { ...options, turnstile })
}

interface Shown {
  readonly text: string
  readonly title: string
}

/** The person sees what was cut. */
const cutTitle = (title: string): string => title.slice(0, MAX_TITLE_CHARACTERS)

/** Reads what another app shares: a text and a link, or a file. The manifest names the fields. */
async function readShared(c: AppContext): Promise<Shown> {
  const fields = await c.req.parseBody<Record<string, string | File>>().catch(() => {
    throw unreadableForm()
  })
  const { title = '', text = '', url = '', file } = fields
  if (file instanceof File && file.size > 0) {
    const shared = await readText(file)
    if (shared === null) throw notText()
    return { title: cutTitle(String(title || file.name)), text: shared }
  }
  const words = String(text).includes(String(url)) ? [text] : [text, url]
  return { title: cutTitle(String(title)), text: joinCrLf(words.filter(Boolean).join('\n')) }
}

/** The editor, which may have what somebody shared from another app. */
async function showEditor(c: AppContext, { text, title }: Shown, isPrivate: boolean): Promise<Response> {
  const { user } = await askSession(c, NOTHING)
  const headers = { ...VARY_BY_FORM, ...(isPrivate && { 'Cache-Control': 'no-store' }) }
  const needsAccount = !user && c.var.config.anonymousDocuments === 'refuse'
  if (needsAccount && text === '') return page(c, <SignInToCreatePage />, { headers })
  const values = { ...(await getInitialValues(c, user)), text, title }
  // The app that shared the text has forgotten it. Here, the editor keeps it as a draft.
  const problem = needsAccount ? { problem: signInToShare } : {}
  return answerHome(c, { values, signedIn: user !== null, ...problem }, { headers })
}

/** Starts a new document with the text of one that the user may edit. */
export async function answerDuplicate(
  c: AppContext,
  user: User | null,
  { id, givenTitle, language }: Document,
  text: string,
): Promise<Response> {
  const { settings, ...initial } = await getInitialValues(c, user)
  const values = {
    ...initial,
    settings: { ...settings, language },
    text,
    title: givenTitle ?? '',
    duplicatedFrom: id,
  }
  return answerHome(c, { values, signedIn: user !== null }, { headers: PRIVATE_HEADERS })
}

/** Shows what the user can't get again: a generated password, and the management link. */
async function answerForm(c: AppContext, { document, password, token }: CreatedDocument): Promise<Response> {
  const { id, title, createdAt, expiresAt } = document
  const cookies = token === null ? [] : [documentTokenCookie(c, document, token)]
  const url = `${c.var.siteUrl}/${getNamedAddress(document) ?? id}`
  const data: CreateAnswer = { id, url, title, createdAt, expiresAt, token, password }
  if (wantsJson(c)) return withCookies(answerJson(c, { data }), ...cookies)
  // Programs such as curl get the address; a browser's user must see what to keep.
  const showsLink = token !== null && (c.req.header('Accept')?.includes('text/html') ?? false)
  if (password === null && !showsLink) return seeOther(c, `/${id}`, cookies)
  const managementLink = token === null ? null : `${url}/manage?token=${token}`
  const createdPage = <CreatedPage url={url} password={password} managementLink={managementLink} />
  return withCookies(await page(c, createdPage, { headers: PRIVATE_HEADERS }), ...cookies)
}

const home = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/', (c) => showEditor(c, { text: '', title: '' }, c.var.hasSessionCookie))
  .get('/share', (c) => seeOther(c, '/'))
  // Nothing is stored before the person presses Share.
  .post('/share', limitDocumentForm, async (c) => {
    if (isFromThisSite(c) !== true) throw crossSiteForm()
    return showEditor(c, await readShared(c), true)
  })
  .post('/', limitDocumentForm, async (c) => {
    const form = await readSentForm(c)
    // A form that another site sent isn't shown as if it had been typed here.
    if (isFromThisSite(c) === false) throw crossSiteForm()
    if (form.fields.has('add')) {
      const { user } = await askSession(c, NOTHING)
      const values = { ...restoreValues(c, form, user), ...addFileBox(form) }
      return answerHome(c, { values, signedIn: user !== null }, { headers: PRIVATE_HEADERS })
    }
    return submitForm(c, {
      submit: async () => answerForm(c, await createFromForm(c, form)),
      showAgain: (error, options) => showAgain(c, form, { error, options }),
    })
  })

export const routes = rejectOtherMethods(home)
