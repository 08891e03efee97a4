import { getMaxExpiryDays, type User } from '../accounts/user.ts'
import { toContent } from '../documents/content.ts'
import { createDocument, type NewDocument, plainDocument } from '../documents/create.ts'
import { deleteDocument } from '../documents/delete.ts'
import { type Document, getDefaultExpiry, mayEdit, parseExpiration } from '../documents/document.ts'
import { editDocument } from '../documents/edit.ts'
import type { Edit } from '../documents/edit-plan.ts'
import { burnsFor, deliver, requireFound, visibleDocument } from '../documents/read.ts'
import type { AppContext } from '../env.ts'
import { AppError, accountNotConfirmed, editNotAllowed, unreadableForm } from '../errors.ts'
import { answer, answerText, checkIfMatch, documentHeaders, VARY_BY_FORM } from '../http/answers.ts'
import { readForm } from '../http/bodies.ts'
import { answerContent } from '../http/document-text.ts'
import { findDocumentToRead } from '../http/find-document.ts'
import {
  askAlongside,
  DOCUMENT_TOKEN_HEADER,
  findViewer,
  readDocumentPassword,
  readDocumentToken,
  requireAuthor,
  requireViewer,
} from '../http/identity.ts'
import { limitAttempts, limitDelivery } from '../http/limits.ts'
import { logDocument, readIdempotentRequest } from '../http/request.ts'
import { formatSize } from '../shared/format.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'
import { AUTO, findLanguageOfExtension, findLanguageOfFile } from '../shared/languages.ts'
import { MAX_TITLE_CHARACTERS } from '../shared/settings.ts'
import { chooseLanguage, readOptions, readSentOptions, readUpload } from './upload.ts'

const KEY_NEEDED = `
On this server, only people with an account can create documents. Send an API
key with each request: -H 'Authorization: imperial_...'
`

const KEY_NEEDED_TO_READ = `
On this server, only people with an account can read documents. Send an API key
with each request: -H 'Authorization: imperial_...'
`

interface Manual {
  /** The site's address. */
  readonly site: string
  readonly name: string
  readonly notice: string | null
  readonly maxSize: string
  readonly keyToCreate: boolean
  readonly keyToRead: boolean
}

const formatManual = ({ site, name, notice, maxSize, keyToCreate, keyToRead }: Manual): string => `\
${name.toUpperCase()}: share text by link
${notice === null ? '' : `\n${notice}\n`}
Create a document: up to ${maxSize} of UTF-8. The response is its link.
${keyToCreate ? KEY_NEEDED : ''}
  curl -T main.py ${site}/
  curl --data-binary @notes.txt ${site}/
  make 2>&1 | curl -T - ${site}/
  git diff | curl -F 'f=<-' ${site}/
  curl -F f=@main.py -F f=@app.toml ${site}/
      several files in one document
  wget -qO- --post-file=notes.txt ${site}/

Choose options in the address, in a header, or in a field of a form:

  ?expires=2d       X-Expires    30m, 12h, 2d, 4w or never
  ?burn             X-Burn       delete after first read
  ?language=py      X-Language   a language or a file extension
  ?title=notes      X-Title      a title or file name
  ?encrypt          X-Encrypt    the link contains a generated password
  ?public           X-Public     anyone can find it; needs an API key

  curl -T main.py '${site}/?expires=2d&burn'
  curl -T main.py -H 'X-Document-Password: ...' ${site}/

Read, replace, and delete:
${keyToRead ? KEY_NEEDED_TO_READ : ''}
  curl ${site}/ID
  curl '${site}/ID?lines=10-40'
  curl -H 'X-Document-Password: ...' ${site}/ID
  curl -X POST ${site}/ID
      reads a document that is deleted after first read
  curl -T new.py -H 'X-Document-Token: ...' ${site}/ID
  curl -X DELETE -H 'X-Document-Token: ...' ${site}/ID
      the token is in the response to the create: use curl -i, or ?token,
      which prints it on a second line. An API key works, too

With an API key, -H 'Authorization: imperial_...', documents are yours, and can
last longer than 7 days. More: ${site}/docs
`

export async function answerManual(c: AppContext): Promise<Response> {
  const { config, siteUrl } = c.var
  const manual = formatManual({
    site: siteUrl,
    ...config.site,
    maxSize: formatSize(config.maxContentBytes),
    keyToCreate: config.anonymousDocuments === 'refuse',
    keyToRead: config.readers === 'accounts',
  })
  return answerText(c, manual, { headers: { 'Cache-Control': 'no-cache', ...VARY_BY_FORM } })
}

/** More than any password takes, in any encoding. */
const MAX_FORM_BYTES = 16 * 1024

const getId = (c: AppContext): string => c.req.param('address')?.split('.', 1)[0] ?? ''

export async function answerRead(c: AppContext): Promise<Response> {
  const document = await findDocumentToRead(c, getId(c))
  await readForm(c, MAX_FORM_BYTES)
  const { password } = await c.req.parseBody().catch(() => {
    throw unreadableForm()
  })
  return answerContent(c, document, {
    password: typeof password === 'string' && password !== '' ? password : readDocumentPassword(c, document),
  })
}

/** For an API key, or the holder of the document token. @throws AppError `unauthorized` without either. */
export async function answerDelete(c: AppContext): Promise<Response> {
  const { now, store } = c.var
  const id = getId(c)
  const { viewer, found } = await requireViewer(c, visibleDocument(id, now))
  await deleteDocument(store, { id, found, viewer, now })
  return answer(c, null, { status: 204 })
}

const keyNeeded = (what: string) =>
  new AppError('unauthorized', `${what} Send an API key in the header Authorization`)

/** Without an account, the options are those that the site offers. */
function authorizeOptions(
  c: AppContext,
  user: User | null,
  options: { readonly public?: boolean | undefined },
  expiresAt: Instant,
): void {
  const { config, now } = c.var
  const maxDays = getMaxExpiryDays(user, config.anonymousSettings)
  const tooLong = maxDays !== null && expiresAt > now + maxDays * DAY_MS
  const needsAccount = options.public && !user?.confirmed
  if (!tooLong && !needsAccount) return
  if (user) throw accountNotConfirmed()
  throw keyNeeded(
    tooLong
      ? `Without an account, documents last up to ${maxDays} days.`
      : 'Only documents of accounts can be public.',
  )
}

function cleanFileName(name: string | null | undefined): string | null {
  const last = name?.split(/[\\/]/).at(-1)?.trim() ?? ''
  return last === '' || last === '-' ? null : [...last].slice(0, MAX_TITLE_CHARACTERS / 2).join('')
}

function findLanguageOfType(mediaType: string): string | null {
  const subtype = mediaType.split('/')[1] ?? ''
  const name = (subtype.split('+').at(-1) ?? '').replace(/^x-/, '')
  return name === 'plain' || name === '' ? null : findLanguageOfExtension(name)
}

const refuseWithoutKey = () => keyNeeded('On this server, only people with an account can create documents.')

/** @throws AppError `bad_request` without text. */
async function readText(c: AppContext, options?: { asText?: boolean | undefined }) {
  const upload = await readUpload(c, options)
  if (upload.text === '') throw new AppError('bad_request', "There's no text in the request")
  return upload
}

interface CreateOptions {
  /** Of the file, in the address, as `curl -T` sends it. */
  readonly name?: string | undefined
  readonly asText?: boolean
}

async function readCreate(c: AppContext, { name: addressName, asText }: CreateOptions) {
  const { config, now } = c.var
  const upload = await readText(c, { asText })
  const options = readOptions(c, upload.fields)
  const fileName = cleanFileName(addressName ?? upload.fileName)
  const { clientEncrypted, encryption, expiration } = options
  const language = chooseLanguage(upload, options)
  const input: NewDocument = {
    ...plainDocument(toContent(upload.text, clientEncrypted, config.maxContentBytes), now),
    // The name of an encrypted file could reveal what the text is.
    title: options.title ?? (encryption || clientEncrypted ? null : fileName),
    language:
      language ??
      findLanguageOfFile(fileName ?? options.title ?? '') ??
      findLanguageOfType(upload.mediaType) ??
      // Only pages can detect the language of a JWE, once the browser has decrypted it.
      (clientEncrypted ? null : AUTO),
    expiresAt: expiration === undefined ? getDefaultExpiry(now) : parseExpiration(expiration, now),
    burnAfterReading: options.burnAfterReading,
    public: options.public,
    encryption,
    claimHash: options.claimHash,
  }
  return { input, options }
}

async function create(c: AppContext, createOptions: CreateOptions) {
  const { now, siteUrl, store } = c.var
  const creator = await requireAuthor(c, { refuse: refuseWithoutKey })
  const { input, options } = await readCreate(c, createOptions)
  authorizeOptions(c, creator, options, input.expiresAt)
  const { showsToken, ...sent } = options
  const settings = { ...sent, title: input.title, language: input.language }
  const idempotent = readIdempotentRequest(c, creator, settings)
  const { document, password, token } = await createDocument(store, input, { creator, now, idempotent })
  logDocument(c, document.id)
  const url = `${siteUrl}/${document.id}`
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

export async function answerCreate(c: AppContext): Promise<Response> {
  const { link, tokenLine, url, headers } = await create(c, {
    name: c.req.param('name') ?? c.req.param('id'),
  })
  return answerText(c, `${link}\n${tokenLine}`, { status: 201, headers: { ...headers, Location: url } })
}

async function readUpdate(c: AppContext, { user, document }: { user: User | null; document: Document }) {
  const { config, now } = c.var
  const upload = await readText(c)
  const options = readSentOptions(c, upload.fields)
  const { burnAfterReading, claimHash, clientEncrypted, encryption, expiration, title, ...sent } = options
  const language = chooseLanguage(upload, options)
  const expiresAt = expiration === undefined ? undefined : parseExpiration(expiration, now)
  authorizeOptions(c, user, sent, expiresAt ?? now)
  const password = encryption?.password ?? undefined
  if (password !== undefined) await limitAttempts(c, document.id)
  const edit: Edit = {
    content: toContent(upload.text, clientEncrypted === true, config.maxContentBytes),
    password,
    burnAfterReading,
    public: sent.public,
    language: language ?? undefined,
    title,
    expiresAt,
    clientEncrypted,
    claimHash: claimHash ?? undefined,
    fixedSettings: { encrypted: encryption !== null && encryption.password === null },
  }
  return edit
}

const updateNeedsCredential = () =>
  new AppError(
    'unauthorized',
    "There's a document at this address. To replace it, send its token or an API key: -H 'X-Document-Token: ...' or -H 'Authorization: imperial_...'",
  )

/**
 * Replaces the text of a document, and changes the settings that the options name. Where there is no document, creates one if the
 * request has no credential: the name of a file may look like an id.
 */
export async function answerUpdate(c: AppContext): Promise<Response> {
  const { now, siteUrl, store } = c.var
  const id = c.req.param('id') ?? ''
  const { user, viewer, found } = await askAlongside(c, visibleDocument(id, now), { as: 'require' })
  if (!user && readDocumentToken(c) === undefined) {
    if (found) throw updateNeedsCredential()
    return answerCreate(c)
  }
  const document = requireFound(found)
  logDocument(c, id)
  const checkPrecondition = checkIfMatch(c.req.header('If-Match'), 'raw')
  // Before the body is read.
  if (!mayEdit(document, viewer)) throw editNotAllowed()
  checkPrecondition(document)
  const edit = await readUpdate(c, { user, document })
  const edited = await editDocument(store, document, edit, { viewer, now, checkPrecondition })
  return answerText(c, `${siteUrl}/${id}\n`, {
    headers: {
      ...documentHeaders(edited.document, 'raw'),
      'X-Expires': new Date(edited.document.expiresAt).toISOString(),
    },
  })
}

/** As haste does. A document that reading deletes stays, as at every address that answers GET. */
export async function answerHasteRead(c: AppContext): Promise<Response> {
  const found = await findDocumentToRead(c, getId(c))
  const reader = {
    viewer: () => findViewer(c),
    proof: { password: readDocumentPassword(c, found) },
    now: c.var.now,
  }
  if (await burnsFor(found, reader.viewer))
    throw new AppError('bad_request', 'Reading this document deletes it, so open its link')
  await limitDelivery(c, found, reader.proof)
  const { document, content } = await deliver(c.var.store, found, reader)
  return answer(c, JSON.stringify({ key: document.id, data: content }), {
    headers: { ...documentHeaders(document, 'json'), 'Content-Type': 'application/json' },
  })
}

export async function answerHasteCreate(c: AppContext): Promise<Response> {
  const { id, headers } = await create(c, { asText: true })
  return answer(c, JSON.stringify({ key: id }), {
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
}
