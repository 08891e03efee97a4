import {
  accountFull,
  accountNotConfirmed,
  contentTooLarge,
  documentNotFound,
  invalidBody,
  invalidPassword,
  issueAt,
  keyScopeTooSmall,
  serverFull,
  unsupportedMediaType,
} from '../../errors.ts'
import { EXAMPLE_BOOKMARK } from './headers.ts'
import type { ErrorCase, HeaderName } from './operation.ts'
import type { Parameter } from './types.ts'

export const NOT_FOUND: ErrorCase = [
  documentNotFound(),
  'The document doesn’t exist, was deleted or has expired.',
]
export const TOO_LARGE: ErrorCase = [contentTooLarge(), 'The content or the request body is too large.']
export const WRONG_TYPE: ErrorCase = [unsupportedMediaType(), 'The body isn’t `application/json`.']
export const WRONG_PASSWORD: ErrorCase = [invalidPassword(), 'The password is wrong.']
export const NOT_CONFIRMED: ErrorCase = [
  accountNotConfirmed(),
  'The request uses settings, but the email address of the account isn’t verified.',
]
export const READ_ONLY_KEY: ErrorCase = [keyScopeTooSmall('read', 'write'), 'The scope of the key is `read`.']
export const ACCOUNT_FULL: ErrorCase = [
  accountFull(),
  'Your account has as many documents, or as much text, as the server allows.',
]
export const SERVER_FULL: ErrorCase = [
  serverFull(),
  'The server has as many documents, or as much text, as its operator allows.',
]
export const invalid = (path: readonly string[], message: string, when: string): ErrorCase => [
  invalidBody(issueAt(path, message)),
  when,
]

export const EXAMPLE_ID = '7hBqKz4n'

export const ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the document.',
  schema: { type: 'string' },
  example: EXAMPLE_ID,
}

export const PASSWORD: Parameter = {
  name: 'password',
  in: 'query',
  description:
    'The password of an encrypted document, which the server then decrypts. Use the header `X-Document-Password` instead if you can, because URLs end up in logs.',
  schema: { type: 'string' },
}

export const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you have. If it’s still current, the response is 304 without content, and counts no view. Ignored for encrypted and burn-after-reading documents.',
  schema: { type: 'string' },
  example: '"json-RB46RpnSxf95"',
}

export const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you’re editing. If someone else saved first, the response is 412.',
  schema: { type: 'string' },
  example: '"json-RB46RpnSxf95"',
}

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes the request repeatable: for 24 hours, a request with the same key and body, from the same account or network, gets the document of the first one. Use a random value such as a UUID. If the document is to be encrypted, send a password.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '4f6bfa0e-5a9e-4b0e-9d4c-0d2f1f0a8c55',
}

export const BOOKMARK: Parameter = {
  name: 'X-Bookmark',
  in: 'header',
  description:
    'The `X-Bookmark` of an answer to a change. Without it or a credential, an answer may be up to two minutes old, and is normally less than a second old.',
  schema: { type: 'string' },
  example: EXAMPLE_BOOKMARK,
}

export const DOCUMENT_HEADERS: readonly HeaderName[] = ['Cache-Control', 'ETag', 'X-Robots-Tag']
