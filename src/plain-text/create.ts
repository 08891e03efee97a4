import { getMaxExpiryDays } from '../accounts/authorization.ts'
import type { User } from '../accounts/user.ts'
import { createDocument, type NewDocument, plainDocument } from '../documents/create/create.ts'
import { toContent } from '../documents/model/content.ts'
import { getDefaultExpiry, parseExpiration } from '../documents/model/parse-expiration.ts'
import type { AppContext } from '../env.ts'
import { AppError, accountNotConfirmed, humanCheckNeeded } from '../errors.ts'
import { answer, answerText } from '../http/answers/answer.ts'
import { readIdempotentRequest } from '../http/idempotency-key.ts'
import { checkBeforeAsking } from '../http/identity/ask-alongside.ts'
import { readApiKey } from '../http/identity/credential.ts'
import { DOCUMENT_TOKEN_HEADER } from '../http/identity/document-token.ts'
import { AUTO } from '../shared/form-settings.ts'
import { findLanguageOfExtension, findLanguageOfFile } from '../shared/languages/file-languages.ts'
import { MAX_TITLE_CHARACTERS } from '../shared/settings.ts'
import { type Options, readOptions } from './options.ts'
import { readUpload } from './upload.ts'

const DAY_MS = 86_400_000

const keyNeeded = (what: string) =>
  new AppError('unauthorized', `${what} Send an API key in the header Authorization`)

/** Checks that a user may choose these options. Without an account, they are those that the site offers. */
function authorizeOptions(c: AppContext, user: User | null, options: Options, expiresAt: number): void {
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

/** Returns the file name that an address or a form gives; null if it gives none. */
function cleanFileName(name: string | null | undefined): string | null {
  const last = name?.split(/[\\/]/).at(-1)?.trim() ?? ''
  return last === '' || last === '-' ? null : [...last].slice(0, MAX_TITLE_CHARACTERS / 2).join('')
}

/** Returns the language of a media type such as `application/json` or `text/x-python`; null if it has none. */
function findLanguageOfType(mediaType: string): string | null {
  const subtype = mediaType.split('/')[1] ?? ''
  const name = (subtype.split('+').at(-1) ?? '').replace(/^x-/, '')
  return name === 'plain' || name === '' ? null : findLanguageOfExtension(name)
}

/** Returns the account that creates a document; null without one. */
async function requireAuthor(c: AppContext): Promise<User | null> {
  const { config, identity } = c.var
  const user = await identity.require()
  if (!user && config.anonymousDocuments === 'refuse')
    throw keyNeeded('On this server, only people with an account can create documents.')
  if (!user && config.abuse.turnstile) throw humanCheckNeeded()
  return user
}

/** Reads what a request asks to create. */
async function readCreate(c: AppContext, addressName?: string) {
  const { config, now } = c.var
  const upload = await readUpload(c)
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

/** Creates the document that a request asks for. Returns its link, and the headers of the answer. */
async function create(c: AppContext, addressName?: string) {
  const { now, siteUrl, store } = c.var
  const asking = requireAuthor(c)
  // The code that awaits it gets the error.
  asking.catch(() => {})
  const needsAuthor = readApiKey(c) === undefined || c.req.header('Idempotency-Key') !== undefined
  if (needsAuthor) await asking
  const { input, options } = await checkBeforeAsking(
    () => readCreate(c, addressName),
    () => asking,
  )
  const authorized = asking.then((user) => {
    authorizeOptions(c, user, options, input.expiresAt)
    return user
  })
  authorized.catch(() => {})
  // With an API key, the author is an account or refused. So the content can be stored while it's looked up.
  const creator = needsAuthor ? await authorized : authorized
  const idempotent =
    creator instanceof Promise
      ? null
      : readIdempotentRequest(c, creator, { ...options, title: input.title, language: input.language })
  const { document, password, token } = await createDocument(store, input, { creator, now, idempotent })
  const url = `${siteUrl}/${document.id}`
  return {
    id: document.id,
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

/**
 * Creates a document from a text, and answers its link.
 *
 * @param name the file name in the address, as `curl -T` sends it.
 * @throws AppError for anything that is wrong with the request.
 */
export async function answerCreate(c: AppContext, name?: string): Promise<Response> {
  const { id, link, headers } = await create(c, name)
  return answerText(c, `${link}\n`, { status: 201, headers: { ...headers, Location: `/${id}` } })
}

/** Creates a document as haste-server does: the answer is JSON with its id. */
export async function answerHasteCreate(c: AppContext): Promise<Response> {
  const { id, headers } = await create(c)
  return answer(c, `${JSON.stringify({ key: id })}\n`, {
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
}
