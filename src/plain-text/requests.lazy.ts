import type { User } from '../accounts/user.ts'
import { toContent } from '../documents/content.ts'
import { createDocument, type NewDocument, plainDocument } from '../documents/create.ts'
import { deleteDocument } from '../documents/delete.ts'
import {
  type Document,
  getDefaultExpiry,
  getNamedAddress,
  mayEdit,
  parseExpiration,
} from '../documents/document.ts'
import { type EditedDocument, editDocument } from '../documents/edit.ts'
import type { Edit } from '../documents/edit-plan.ts'
import { burnsFor, deliver, documentAt, requireFound, visibleDocument } from '../documents/read.ts'
import type { AppContext } from '../env.ts'
import {
  AppError,
  accountNotConfirmed,
  burnsNow,
  documentNotFound,
  editNotAllowed,
  unavailable,
  unreadableForm,
} from '../errors.ts'
import {
  acceptsMarkdown,
  answer,
  answerText,
  checkIfMatch,
  documentHeaders,
  toJson,
  VARY_BY_FORM,
} from '../http/answers.ts'
import { readForm } from '../http/bodies.ts'
import { answerContent } from '../http/document-text.ts'
import { findDocumentToRead } from '../http/find-document.ts'
import { readIdempotentRequest } from '../http/idempotency.ts'
import {
  askAccount,
  DOCUMENT_TOKEN_HEADER,
  readDocumentPassword,
  readDocumentToken,
} from '../http/identity.ts'
import { getPolicy, limitAttempts, limitDelivery } from '../http/limits.ts'
import { authorizeOptions, keyNeeded, keyNeededToCreate, requireAuthor } from '../http/permissions.ts'
import { logDocument } from '../http/request-log.ts'
import { NAME_RULE, parseNamedAddress, toAddress } from '../shared/document-ids.ts'
import {
  AUTO,
  findLanguageOfExtension,
  findLanguageOfFile,
  findLanguageOfTitle,
} from '../shared/languages.ts'
import { MAX_TITLE_CHARACTERS } from '../shared/settings.ts'
import {
  chooseLanguage,
  isLanguageDetected,
  readOptions,
  readSentOptions,
  readUpload,
  type SentOptions,
} from './upload.ts'

const getAbout = (c: AppContext) => ({
  config: c.var.config,
  site: c.var.siteUrl,
  limits: { creates: getPolicy(c, 'creates').limit, writes: getPolicy(c, 'writes').limit },
})

/** Programs ask for it less often than for anything else. */
const loadManual = () => import('./manual.lazy.ts')

const answerMarkdown = (c: AppContext, text: string, headers: Record<string, string> = {}): Response =>
  answerText(c, text, {
    headers: { 'Content-Type': 'text/markdown; charset=utf-8', 'Cache-Control': 'no-cache', ...headers },
  })

export async function answerManual(c: AppContext): Promise<Response> {
  if (acceptsMarkdown(c)) return answerGuide(c)
  const { formatManual } = await loadManual()
  return answerText(c, formatManual(getAbout(c)), {
    headers: { 'Cache-Control': 'no-cache', ...VARY_BY_FORM },
  })
}

export async function answerGuide(c: AppContext): Promise<Response> {
  const { formatGuide } = await loadManual()
  return answerMarkdown(c, formatGuide(getAbout(c)), VARY_BY_FORM)
}

export async function answerSkill(c: AppContext): Promise<Response> {
  const { formatSkill } = await loadManual()
  return answerMarkdown(c, formatSkill(getAbout(c)))
}

/** Answers with the guide for language models (llmstxt.org). */
export async function answerLlmsTxt(c: AppContext): Promise<Response> {
  const { formatGuide } = await loadManual()
  return answerText(c, formatGuide(getAbout(c)), { headers: { 'Cache-Control': 'no-cache' } })
}

export async function answerReference(c: AppContext): Promise<Response> {
  const { formatReference } = await loadManual()
  const assets: Fetcher | undefined = c.env.ASSETS
  // With a `wrangler.toml` of an earlier release, the Worker can't read it.
  const file = await assets?.fetch(new URL('/assets/openapi.json', c.req.url))
  return answerMarkdown(
    c,
    formatReference(getAbout(c), file ? await file.json() : { paths: {} }),
    VARY_BY_FORM,
  )
}

/** The size of a form with a password. None takes as much, in any encoding. */
const MAX_FORM_BYTES = 16 * 1024

const getId = (c: AppContext): string => toAddress(c.req.param('address') ?? '')

export async function answerRead(c: AppContext): Promise<Response> {
  const { document, viewer } = await findDocumentToRead(c, getId(c))
  await readForm(c, MAX_FORM_BYTES)
  const { password } = await c.req.parseBody().catch(() => {
    throw unreadableForm()
  })
  const typed = typeof password === 'string' && password !== '' ? password : undefined
  const proof = { password: typed ?? readDocumentPassword(c, document) }
  return answerContent(c, document, { viewer, proof })
}

const credentialNeeded = (toDoWhat: string) =>
  new AppError(
    'unauthorized',
    `${toDoWhat}, send its token or an API key: -H 'X-Document-Token: ...' or -H 'Authorization: imperial_...'`,
  )

/** Takes an API key, or the document token. @throws AppError `unauthorized` without either. */
export async function answerDelete(c: AppContext): Promise<Response> {
  const { now, store } = c.var
  const address = getId(c)
  const { user, viewer, found } = await askAccount(c, documentAt(address, now))
  if (!user && readDocumentToken(c) === undefined) throw credentialNeeded('To delete a document')
  await deleteDocument(store, { address, found, viewer, now })
  return answer(c, null, { status: 204 })
}

function cleanFileName(name: string | null | undefined): string | null {
  const last = name?.slice(1 + Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'))).trim() ?? ''
  if (last === '' || last === '-') return null
  return [...last.slice(0, MAX_TITLE_CHARACTERS)].slice(0, MAX_TITLE_CHARACTERS / 2).join('')
}

function findLanguageOfType(mediaType: string): string | null {
  const subtype = mediaType.split('/')[1] ?? ''
  const name = subtype.slice(subtype.lastIndexOf('+') + 1).replace(/^x-/, '')
  return name === 'plain' || name === '' ? null : findLanguageOfExtension(name)
}

/** @throws AppError `bad_request` without text. */
async function readText(c: AppContext, options?: { asText?: boolean | undefined }) {
  const upload = await readUpload(c, options)
  if (upload.text === '')
    throw new AppError('bad_request', "There's no text in the request", {
      nextStep: 'Send it as the body: curl -T FILE URL',
    })
  return upload
}

type Upload = Awaited<ReturnType<typeof readUpload>>

interface CreateOptions {
  readonly upload: Upload
  /** The name of the file, in the address, as `curl -T` sends it. */
  readonly fileName?: string | undefined
  /** The one that the account gives the document. */
  readonly name?: string | null
}

function parseCreate(c: AppContext, { upload, fileName: addressName, name = null }: CreateOptions) {
  const { config, now } = c.var
  const options = readOptions(c, upload.fields)
  const fileName = cleanFileName(addressName ?? upload.fileName)
  const { clientEncrypted, encryption, expiration } = options
  const language = chooseLanguage(upload, options)
  const input: NewDocument = {
    ...plainDocument(toContent(upload.text, clientEncrypted, config.maxContentBytes), now),
    // The name of an encrypted file could reveal what the text is.
    title: options.title ?? (encryption || clientEncrypted ? null : fileName),
    name,
    language:
      language ??
      findLanguageOfFile(fileName ?? options.title ?? '') ??
      findLanguageOfFile(name ?? '') ??
      findLanguageOfType(upload.mediaType) ??
      // Only pages can detect the language of a JWE, once the browser has decrypted it.
      (clientEncrypted ? null : AUTO),
    languageDetected: isLanguageDetected(upload, options),
    expiresAt: expiration === undefined ? getDefaultExpiry(now) : parseExpiration(expiration, now),
    burnAfterReading: options.burnAfterReading,
    public: options.public,
    encryption,
    claimHash: options.claimHash,
  }
  return { input, options }
}

const requireCreator = (c: AppContext) => requireAuthor(c, { refuse: keyNeededToCreate })

async function create(c: AppContext, creator: User | null, createOptions: CreateOptions) {
  const { now, siteUrl, store } = c.var
  const { input, options } = parseCreate(c, createOptions)
  authorizeOptions(c, creator, input)
  const { showsToken, ...sent } = options
  const settings = { ...sent, title: input.title, language: input.language }
  // A request that names its document is idempotent by itself.
  const idempotent = input.name === null ? readIdempotentRequest(c, creator, settings) : null
  const { document, password, token } = await createDocument(store, input, { creator, now, idempotent })
  logDocument(c, document.id)
  const url = `${siteUrl}/${getNamedAddress(document) ?? document.id}`
  return {
    id: document.id,
    url,
    // A browser decrypts the document with the password in the link, and never sends it.
    link: password === null ? url : `${url}#${password}`,
    tokenLine: showsToken && token !== null ? `${token}\n` : '',
    headers: {
      'Cache-Control': 'no-store',
      // Programs that keep the token need to know for how long.
      'X-Expires': new Date(document.expiresAt).toISOString(),
      ...(token !== null && { [DOCUMENT_TOKEN_HEADER]: token }),
    },
  }
}

const answerCreated = (
  c: AppContext,
  { link, tokenLine, url, headers }: Awaited<ReturnType<typeof create>>,
): Response => answerText(c, `${link}\n${tokenLine}`, { status: 201, headers: { ...headers, Location: url } })

export async function answerCreate(c: AppContext): Promise<Response> {
  const creator = await requireCreator(c)
  const upload = await readText(c)
  const fileName = c.req.param('name') ?? c.req.param('id')
  return answerCreated(c, await create(c, creator, { upload, fileName }))
}

interface UpdateOptions {
  readonly user: User | null
  readonly document: Document
  readonly upload: Upload
}

/** A name says more than the media type, which says more than the text. A language that somebody chose stays. */
function findNewLanguage(
  { givenTitle, languageDetected, name }: Document,
  { upload, language, title }: Pick<UpdateOptions, 'upload'> & Pick<SentOptions, 'language' | 'title'>,
): string | null {
  const ofName = findLanguageOfTitle(title ?? givenTitle ?? '') ?? findLanguageOfFile(name ?? '')
  return languageDetected && language === null && !ofName ? findLanguageOfType(upload.mediaType) : null
}

async function parseUpdate(c: AppContext, { user, document, upload }: UpdateOptions): Promise<Edit> {
  const { config, now } = c.var
  const options = readSentOptions(c, upload.fields)
  const { burnAfterReading, claimHash, clientEncrypted, encryption, expiration, title, ...sent } = options
  const language = chooseLanguage(upload, options) ?? findNewLanguage(document, { upload, ...options })
  const expiresAt = expiration === undefined ? undefined : parseExpiration(expiration, now)
  authorizeOptions(c, user, { public: sent.public ?? false, expiresAt: expiresAt ?? now })
  const password = encryption?.password ?? undefined
  if (password !== undefined) await limitAttempts(c, document.id)
  return {
    content: toContent(upload.text, clientEncrypted === true, config.maxContentBytes),
    password,
    burnAfterReading,
    public: sent.public,
    ...(language && { language, languageDetected: isLanguageDetected(upload, options) }),
    title,
    expiresAt,
    clientEncrypted,
    claimHash: claimHash ?? undefined,
    fixedSettings: { encrypted: encryption !== null && encryption.password === null },
  }
}

/** Checks the condition of RFC 9110 §13.1.2. @throws AppError `precondition_failed` if the request only creates. */
function checkIfNoneMatch(c: AppContext, message: string): void {
  if (c.req.header('If-None-Match')?.trim() === '*')
    throw new AppError('precondition_failed', message, {
      nextStep: 'Leave out If-None-Match to replace its text',
    })
}

const answerUpdated = (c: AppContext, { document }: EditedDocument, address: string): Response =>
  answerText(c, `${c.var.siteUrl}/${address}\n`, {
    headers: {
      ...documentHeaders(document, 'raw'),
      'X-Expires': new Date(document.expiresAt).toISOString(),
    },
  })

/**
 * Replaces the text of a document, and changes the settings that the options name. Where there is no document, creates one if the
 * request has no credential: the name of a file may look like an id.
 */
export async function answerUpdate(c: AppContext): Promise<Response> {
  const { now, store } = c.var
  const id = c.req.param('id') ?? ''
  const { user, viewer, found } = await askAccount(c, visibleDocument(id, now))
  if (!user && readDocumentToken(c) === undefined) {
    if (found) throw credentialNeeded("There's a document at this address. To replace it")
    return answerCreate(c)
  }
  const document = requireFound(found)
  logDocument(c, id)
  const checkPrecondition = checkIfMatch(c.req.header('If-Match'), 'raw')
  // Before the body is read.
  if (!mayEdit(document, viewer)) throw editNotAllowed()
  checkIfNoneMatch(c, "There's a document at this address")
  checkPrecondition(document)
  const edit = await parseUpdate(c, { user, document, upload: await readText(c) })
  return answerUpdated(c, await editDocument(store, document, edit, { viewer, now, checkPrecondition }), id)
}

/** Is thrown if another request has moved, deleted or taken the name. */
class NameMovedError extends Error {
  override readonly name = 'NameMovedError'
}

const throwIfNotMoved = (error: unknown): never => {
  const isMoved = error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found')
  throw isMoved ? new NameMovedError(error.message) : error
}

/** How often a write by name is tried. Each failed attempt is another request that changed the document of that name. */
const MAX_NAME_ATTEMPTS = 10

/**
 * Replaces the text of the document of that name, or creates it in the account of the key. However many requests do so at
 * once, there is one document, and each of them is one of its versions.
 *
 * @throws AppError `not_found` for a name of somebody else's that leads nowhere, `precondition_failed`.
 */
export async function answerPutName(c: AppContext): Promise<Response> {
  const { now, store } = c.var
  const address = c.req.param('id') ?? ''
  const named = parseNamedAddress(address)
  if (!address.includes('/'))
    throw new AppError('bad_request', `The address has no name. Add one: /${address}/report`)
  if (named === null) throw new AppError('bad_request', `That isn't a name. ${NAME_RULE}`)
  const { user, viewer, found } = await askAccount(c, documentAt(address, now))
  if (!user) throw keyNeeded('Names belong to accounts.')
  const isOwn = user.username.toLowerCase() === named.username.toLowerCase()
  if (isOwn && !user.confirmed) throw accountNotConfirmed()
  const ifMatch = c.req.header('If-Match')
  const checkVersion = checkIfMatch(ifMatch, 'raw')
  // Before the body is read.
  const check = (document: Document | null) => {
    if (!document && !isOwn) throw documentNotFound()
    if (!document && ifMatch !== undefined)
      throw new AppError('precondition_failed', 'No document has this name', {
        nextStep: 'Leave out If-Match to create it',
      })
    if (!document) return
    if (!mayEdit(document, viewer)) throw editNotAllowed()
    checkIfNoneMatch(c, 'A document has this name')
    checkVersion(document)
  }
  check(found)
  const upload = await readText(c)

  const put = async (document: Document | null): Promise<Response> => {
    if (!document)
      return answerCreated(c, await create(c, user, { upload, name: named.name }).catch(throwIfNotMoved))
    logDocument(c, document.id)
    const edit = await parseUpdate(c, { user, document, upload })
    const checkPrecondition = (current: Document) => {
      if (current.name !== named.name) throw new NameMovedError('the document has lost its name')
      checkVersion(current)
    }
    const context = { viewer, now, checkPrecondition }
    const edited = await editDocument(store, document, edit, context).catch(throwIfNotMoved)
    return answerUpdated(c, edited, getNamedAddress(edited.document) ?? address)
  }

  let document = found
  for (let attempt = 0; attempt < MAX_NAME_ATTEMPTS; attempt++) {
    try {
      return await put(document)
    } catch (error) {
      if (!(error instanceof NameMovedError)) throw error
    }
    const [present] = await store.db.ask(documentAt(address, now))
    document = present
    check(document)
  }
  throw unavailable(new Error(`the name ${address} kept moving`))
}

/** Answers like haste. A document that reading deletes stays, as at every address that answers GET. */
export async function answerHasteRead(c: AppContext): Promise<Response> {
  const { document: found, viewer } = await findDocumentToRead(c, getId(c))
  const reader = {
    viewer,
    proof: { password: readDocumentPassword(c, found) },
    now: c.var.now,
    mayBurn: false,
  }
  if (burnsFor(found, reader.viewer)) throw burnsNow()
  await limitDelivery(c, found, reader)
  const { document, content } = await deliver(c.var.store, found, reader)
  return answer(
    c,
    toJson((write) => ({ key: document.id, data: write(content) })),
    {
      headers: { ...documentHeaders(document, 'json'), 'Content-Type': 'application/json' },
    },
  )
}

export async function answerHasteCreate(c: AppContext): Promise<Response> {
  const creator = await requireCreator(c)
  const upload = await readText(c, { asText: true })
  const { id, headers } = await create(c, creator, { upload })
  return answer(c, JSON.stringify({ key: id }), {
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
}
