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
} from '../../../errors.ts'
import type { ErrorCase } from '../operation.ts'

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
/** Of a create, an edit and a deletion. */
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
