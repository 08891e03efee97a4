import { contentNotText, invalidPassword, passwordRequired } from '../../../errors.ts'
import { FAULTS } from '../faults.ts'
import type { ErrorCase, ExampleRequest, Operation } from '../operation.ts'
import { NOT_FOUND, WRONG_PASSWORD } from './document-errors.ts'
import { BOOKMARK, DOCUMENT_HEADERS, ID, IF_NONE_MATCH, PASSWORD } from './document-parameters.ts'

const READ_ERRORS: readonly ErrorCase[] = [
  WRONG_PASSWORD,
  [passwordRequired(), 'The document is encrypted and burns after reading, and the request has no password.'],
  [contentNotText(), 'A client encrypted data that isn’t text.'],
  NOT_FOUND,
  ...FAULTS,
]

/** A HEAD request never decrypts, so it can't find out that a password is wrong. */
const HEAD_ERRORS: readonly ErrorCase[] = READ_ERRORS.filter(
  ([{ message }]) => message !== invalidPassword().message && message !== contentNotText().message,
)

const READ_EXAMPLES: readonly ExampleRequest[] = [
  { name: 'read', title: 'Read a document', credential: 'none', prints: 'data' },
  {
    name: 'read-encrypted',
    title: 'Decrypt a document',
    credential: 'documentPassword',
    prints: 'data',
  },
]

export const READ_DOCUMENT: Operation = {
  id: 'readDocument',
  method: 'get',
  path: '/v1/document/{id}',
  tag: 'Documents',
  summary: 'Read a document',
  description:
    'Counts a view. Deletes a burn-after-reading document, unless its creator or an editor reads it. Without the password, the `content` of an encrypted document is its JWE. Ignores an invalid key or a wrong document token.',
  credentials: ['none', 'key', 'documentToken', 'documentPassword'],
  parameters: [ID, PASSWORD, IF_NONE_MATCH, BOOKMARK],
  successes: [
    { status: 200, description: 'The document.', data: 'Document', headers: DOCUMENT_HEADERS },
    { status: 304, description: 'You have the current version.', headers: DOCUMENT_HEADERS },
  ],
  errors: READ_ERRORS,
  examples: READ_EXAMPLES,
}

export const CHECK_DOCUMENT: Operation = {
  id: 'checkDocument',
  method: 'head',
  path: '/v1/document/{id}',
  tag: 'Documents',
  summary: 'Check a document',
  description:
    'Returns the status and the headers of a read, without a body. Doesn’t count a view, burn or decrypt.',
  credentials: ['none', 'key', 'documentToken', 'documentPassword'],
  parameters: [ID, PASSWORD, IF_NONE_MATCH, BOOKMARK],
  successes: [
    { status: 200, description: 'The document exists.', headers: DOCUMENT_HEADERS },
    { status: 304, description: 'You have the current version.', headers: DOCUMENT_HEADERS },
  ],
  errors: HEAD_ERRORS,
  examples: [
    { name: 'check', title: 'Find out whether a document exists', credential: 'none', prints: 'status' },
  ],
}
