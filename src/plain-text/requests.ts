import { getMaxExpiryDays, type User } from '../accounts/user.ts'
import { toContent } from '../documents/content.ts'
import { createDocument, type NewDocument, plainDocument } from '../documents/create.ts'
import { deleteDocument } from '../documents/delete.ts'
import { getDefaultExpiry, parseExpiration } from '../documents/document.ts'
import { burnsFor, deliver, visibleDocument } from '../documents/read.ts'
import type { AppContext } from '../env.ts'
import { AppError, accountNotConfirmed, unreadableForm } from '../errors.ts'
import { answer, answerText, documentHeaders, VARY_BY_FORM } from '../http/answers.ts'
import { readForm } from '../http/bodies.ts'
import { answerContent } from '../http/document-text.ts'
import { findDocumentToRead } from '../http/find-document.ts'
import {
  DOCUMENT_TOKEN_HEADER,
  findViewer,
  readDocumentPassword,
  requireAuthor,
  requireViewer,
} from '../http/identity.ts'
import { limitDelivery } from '../http/limits.ts'
import { logDocument, readIdempotentRequest } from '../http/request.ts'
import { formatSize } from '../shared/format.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'
import { AUTO, findLanguageOfExtension, findLanguageOfFile } from '../shared/languages.ts'
import { MAX_TITLE_CHARACTERS } from '../shared/settings.ts'
import { readOptions, readUpload, type UploadOptions } from './upload.ts'

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

Read, and delete:
${keyToRead ? KEY_NEEDED_TO_READ : ''}
  curl ${site}/ID
  curl '${site}/ID?lines=10-40'
  curl -H 'X-Document-Password: ...' ${site}/ID
  curl -X POST ${site}/ID
      reads a document that is deleted after first read
  curl -X DELETE -H 'X-Document-Token: ...' ${site}/ID
      the token is in the response to the create: use curl -i

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
  options: UploadOptions,
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

interface CreateOptions {
  /** Of the file, in the address, as `curl -T` sends it. */
  readonly name?: string | undefined
  readonly asText?: boolean
}

async function readCreate(c: AppContext, { name: addressName, asText }: CreateOptions) {
  const { config, now } = c.var
  const upload = await readUpload(c, { asText })
  const options = readOptions(c, upload.fields)
  if (upload.text === '') throw new AppError('bad_request', "There's no text in the request")
  const fileName = cleanFileName(addressName ?? upload.fileName)
  const { clientEncrypted, encryption, expiration } = options
  const input: NewDocument = {
    ...plainDocument(toContent(upload.text, clientEncrypted, config.maxContentBytes), now),
    // The name of an encrypted file could reveal what the text is.
    title: options.title ?? (encryption || clientEncrypted ? null : fileName),
    language:
      options.language ??
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
  const settings = { ...options, title: input.title, language: input.language }
  const idempotent = readIdempotentRequest(c, creator, settings)
  const { document, password, token } = await createDocument(store, input, { creator, now, idempotent })
  logDocument(c, document.id)
  const url = `${siteUrl}/${document.id}`
  return {
    id: document.id,
    url,
    // A browser decrypts the document with the password in the link, and never sends it.
    link: password === null ? url : `${url}#${password}`,
    headers: {
      'Cache-Control': 'no-store',
      // Programs that keep the token need to know for how long.
      'X-Expires': new Date(document.expiresAt).toISOString(),
      ...(token !== null && { [DOCUMENT_TOKEN_HEADER]: token }),
    },
  }
}

export async function answerCreate(c: AppContext): Promise<Response> {
  const { link, url, headers } = await create(c, { name: c.req.param('name') })
  return answerText(c, `${link}\n`, { status: 201, headers: { ...headers, Location: url } })
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
  return answer(c, `${JSON.stringify({ key: document.id, data: content })}\n`, {
    headers: { ...documentHeaders(document, 'json'), 'Content-Type': 'application/json' },
  })
}

export async function answerHasteCreate(c: AppContext): Promise<Response> {
  const { id, headers } = await create(c, { asText: true })
  return answer(c, `${JSON.stringify({ key: id })}\n`, {
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
}
