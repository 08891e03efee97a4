import { getMaxExpiryDays } from '../accounts/authorization.ts'
import type { User } from '../accounts/user.ts'
import { createDocument, type NewDocument, plainDocument } from '../documents/create/create.ts'
import { toContent } from '../documents/model/content.ts'
import { getDefaultExpiry, parseExpiration } from '../documents/model/parse-expiration.ts'
import type { AppContext } from '../env.ts'
import { AppError, accountNotConfirmed, humanCheckNeeded } from '../errors.ts'
import { answer, answerText } from '../http/answers/answer.ts'
import { readIdempotentRequest } from '../http/idempotency-key.ts'
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

/** Creates the document that a request asks for. Returns its link, and the headers of the answer. */
async function create(c: AppContext, addressName?: string) {
  const { config, identity, now, siteUrl, store } = c.var
  const user = await identity.require()
  if (!user && config.anonymousDocuments === 'refuse')
    throw keyNeeded('On this server, only people with an account can create documents.')
  if (!user && config.abuse.turnstile) throw humanCheckNeeded()
  const upload = await readUpload(c)
  const options = readOptions(c, upload.fields)
  if (upload.text === '') throw new AppError('bad_request', "There's no text in the request")
  const fileName = cleanFileName(addressName ?? upload.fileName)
  const { clientEncrypted, encryption, expiration } = options
  const expiresAt = expiration === undefined ? getDefaultExpiry(now) : parseExpiration(expiration, now)
  authorizeOptions(c, user, options, expiresAt)
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
    expiresAt,
    burnAfterReading: options.burnAfterReading,
    public: options.public,
    encryption,
    claimHash: options.claimHash,
  }
  const idempotent = readIdempotentRequest(c, user, {
    ...options,
    title: input.title,
    language: input.language,
  })
  const { document, password, token } = await createDocument(store, input, { creator: user, now, idempotent })
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
