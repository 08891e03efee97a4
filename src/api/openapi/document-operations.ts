import {
  AppError,
  accountNotConfirmed,
  anonymousDocument,
  contentNotText,
  contentTooLarge,
  documentNotFound,
  editNotAllowed,
  editorsChangeNotAllowed,
  encryptedContentNotEditable,
  invalidBody,
  invalidPassword,
  issueAt,
  notTheCreator,
  passwordRequired,
  unauthorized,
  unsupportedMediaType,
} from '../../errors.ts'
import { FAULTS } from './faults.ts'
import type { ErrorCase, ExampleRequest, HeaderName, Operation } from './operation.ts'
import type { Parameter } from './types.ts'

export const EXAMPLE_ID = '7hBqKz4n'

const ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the document.',
  schema: { type: 'string' },
  example: EXAMPLE_ID,
}

const PASSWORD: Parameter = {
  name: 'password',
  in: 'query',
  description:
    'The password of an encrypted document: the server decrypts it. Prefer the header `X-Document-Password`: URLs end up in logs.',
  schema: { type: 'string' },
}

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'A version that you have. If it’s still current, the answer is 304 without content, and counts no view. Encrypted and burn-after-reading documents ignore it.',
  schema: { type: 'string' },
  example: '"json-RB46RpnSxf95"',
}

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description: 'The version that you edit. If someone else saved first, the answer is 412.',
  schema: { type: 'string' },
  example: '"json-RB46RpnSxf95"',
}

const DOCUMENT_HEADERS: readonly HeaderName[] = ['Cache-Control', 'ETag', 'X-Robots-Tag']

const NOT_FOUND: ErrorCase = [documentNotFound(), 'The document doesn’t exist, was deleted or has expired.']
const TOO_LARGE: ErrorCase = [contentTooLarge(), 'The content or the request body is too large.']
const WRONG_TYPE: ErrorCase = [unsupportedMediaType(), 'The body isn’t `application/json`.']
const WRONG_PASSWORD: ErrorCase = [invalidPassword(), 'The password is wrong.']
const NOT_CONFIRMED: ErrorCase = [
  accountNotConfirmed(),
  'The request uses settings, and the email address of the account isn’t verified.',
]
const invalid = (path: readonly string[], message: string, when: string): ErrorCase => [
  invalidBody(issueAt(path, message)),
  when,
]

const READ_ERRORS: readonly ErrorCase[] = [
  WRONG_PASSWORD,
  [passwordRequired(), 'The document is encrypted and burns after reading, and the request has no password.'],
  [contentNotText(), 'A client encrypted something other than text.'],
  NOT_FOUND,
  ...FAULTS,
]

/** A HEAD request never decrypts, so it can't tell that a password is wrong. */
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

export const DOCUMENT_OPERATIONS: readonly Operation[] = [
  {
    id: 'createDocument',
    method: 'post',
    path: '/v1/document',
    tag: 'Documents',
    summary: 'Create a document',
    description:
      'Content alone needs no key. Keep the header `X-Document-Token` of the response: with it you can edit and delete the document later. With a key, the document belongs to your account, and you can send settings. Settings that equal the defaults need no key.',
    credentials: ['none', 'key'],
    parameters: [],
    body: 'NewDocument',
    successes: [
      {
        status: 200,
        description: 'The document was created.',
        data: 'CreatedDocument',
        headers: [...DOCUMENT_HEADERS, 'X-Document-Token'],
      },
    ],
    errors: [
      invalid(['settings', 'password'], 'Requires encrypted: true', 'The body isn’t valid.'),
      [
        unauthorized(),
        'The key is invalid; or there is none, and the request uses settings or the server asks for one.',
      ],
      NOT_CONFIRMED,
      TOO_LARGE,
      WRONG_TYPE,
      ...FAULTS,
    ],
    examples: [
      {
        name: 'create',
        title: 'Share a text',
        credential: 'none',
        body: { content: 'Hello' },
        prints: 'link and token',
      },
      {
        name: 'create-settings',
        title: 'Share Markdown for 30 days, with your key',
        credential: 'key',
        body: { content: '# Hello', settings: { language: 'markdown', expiration: 30 } },
        prints: 'data',
      },
      {
        name: 'create-encrypted',
        title: 'Encrypt with a generated password, burn after reading',
        credential: 'key',
        body: { content: 'attack at dawn', settings: { encrypted: true, instant_delete: true } },
        prints: 'data',
      },
    ],
  },
  {
    id: 'editDocument',
    method: 'patch',
    path: '/v1/document',
    tag: 'Documents',
    summary: 'Edit a document',
    description:
      'The creator, the editors and the holder of the document’s token may edit. An edit is applied completely or not at all. Only the creator can change the editors. New content of an encrypted document needs its `password`, or a JWE and `client_encrypted`.',
    credentials: ['key', 'documentToken'],
    parameters: [IF_MATCH],
    body: 'DocumentChange',
    successes: [
      { status: 200, description: 'The document as it is now.', data: 'Document', headers: DOCUMENT_HEADERS },
    ],
    errors: [
      invalid(['settings', 'encrypted'], 'Can’t be changed', 'The body isn’t valid.'),
      WRONG_PASSWORD,
      [
        encryptedContentNotEditable(issueAt(['password'], 'Required')),
        'New content of an encrypted document without its password.',
      ],
      [contentNotText(), 'With `password`: a client encrypted something other than text.'],
      [unauthorized(), 'The key is invalid, or there is neither a key nor a document token.'],
      NOT_CONFIRMED,
      [editNotAllowed(), 'You’re neither the creator nor an editor, or the document token is wrong.'],
      [editorsChangeNotAllowed(), 'An editor asked for other editors.'],
      [anonymousDocument('public'), 'With a document token: only documents of accounts can be public.'],
      [anonymousDocument('editors'), 'With a document token: only documents of accounts can have editors.'],
      NOT_FOUND,
      [
        new AppError('precondition_failed', 'The document has changed since you read it'),
        '`If-Match` isn’t the current version. `ETag` is.',
      ],
      TOO_LARGE,
      WRONG_TYPE,
      ...FAULTS,
    ],
    examples: [
      {
        name: 'edit',
        title: 'Change the text and the language',
        credential: 'key',
        body: { id: EXAMPLE_ID, content: 'Hello again', settings: { language: 'markdown' } },
        prints: 'data',
      },
      {
        name: 'edit-anonymous',
        title: 'Change a document that you created without a key',
        credential: 'documentToken',
        body: { id: EXAMPLE_ID, content: 'Hello again', settings: { expiration: 1 } },
        prints: 'data',
      },
    ],
  },
  {
    id: 'readDocument',
    method: 'get',
    path: '/v1/document/{id}',
    tag: 'Documents',
    summary: 'Read a document',
    description:
      'Counts a view. A burn-after-reading document is deleted by this, unless the creator or an editor reads it. Without the password, `content` of an encrypted document is the JWE. An invalid key or a wrong document token counts as none.',
    credentials: ['none', 'key', 'documentToken', 'documentPassword'],
    parameters: [ID, PASSWORD, IF_NONE_MATCH],
    successes: [
      { status: 200, description: 'The document.', data: 'Document', headers: DOCUMENT_HEADERS },
      { status: 304, description: 'You have the current version.', headers: DOCUMENT_HEADERS },
    ],
    errors: READ_ERRORS,
    examples: READ_EXAMPLES,
  },
  {
    id: 'checkDocument',
    method: 'head',
    path: '/v1/document/{id}',
    tag: 'Documents',
    summary: 'Check a document',
    description:
      'Answers the status and the headers of a read, without a body. Counts no view, burns nothing, and doesn’t decrypt.',
    credentials: ['none', 'key', 'documentToken', 'documentPassword'],
    parameters: [ID, PASSWORD, IF_NONE_MATCH],
    successes: [
      { status: 200, description: 'The document exists.', headers: DOCUMENT_HEADERS },
      { status: 304, description: 'You have the current version.', headers: DOCUMENT_HEADERS },
    ],
    errors: HEAD_ERRORS,
    examples: [
      { name: 'check', title: 'Find out whether a document exists', credential: 'none', prints: 'status' },
    ],
  },
  {
    id: 'deleteDocument',
    method: 'delete',
    path: '/v1/document/{id}',
    tag: 'Documents',
    summary: 'Delete a document',
    description:
      'Only the creator and the holder of the document’s token may delete it. A burn-after-reading document that a reader got first is a 404: a success means that nobody has read it.',
    credentials: ['key', 'documentToken'],
    parameters: [ID],
    successes: [
      { status: 204, description: 'The document was deleted.', headers: [] },
      {
        status: 200,
        description: 'The document was deleted, on a server with `LEGACY_CLIENTS=on`.',
        data: 'Empty',
        headers: [],
      },
    ],
    errors: [
      [unauthorized(), 'The key is invalid, or there is neither a key nor a document token.'],
      [notTheCreator(), 'You aren’t the creator, or the document token is wrong.'],
      NOT_FOUND,
      ...FAULTS,
    ],
    examples: [
      { name: 'delete', title: 'Delete a document', credential: 'key', prints: 'status' },
      {
        name: 'delete-anonymous',
        title: 'Delete a document that you created without a key',
        credential: 'documentToken',
        prints: 'status',
      },
    ],
  },
  {
    id: 'readClaimHeader',
    method: 'get',
    path: '/v1/document/{id}/claim',
    tag: 'Documents',
    summary: 'Get what a claim needs',
    description:
      'Returns the header of the JWE of an encrypted burn-after-reading document. Derive the claim token from it and the password. Burns nothing.',
    credentials: ['none'],
    parameters: [ID],
    successes: [{ status: 200, description: 'The header.', data: 'ClaimHeader', headers: ['Cache-Control'] }],
    errors: [
      [documentNotFound(), 'The document doesn’t exist, or isn’t an encrypted burn-after-reading document.'],
      ...FAULTS,
    ],
    examples: [
      { name: 'claim-header', title: 'Get the header of the JWE', credential: 'none', prints: 'data' },
    ],
  },
  {
    id: 'claimDocument',
    method: 'post',
    path: '/v1/document/{id}/claim',
    tag: 'Documents',
    summary: 'Claim a document',
    description:
      'Proves the password of an encrypted burn-after-reading document without revealing it. Returns the document with its JWE and burns it in the same step. The token is base64url of 32 bytes of PBKDF2-HMAC-SHA-512 of the password, with the salt `regent-claim`, a zero byte and the bytes of `p2s`, and `p2c` iterations.',
    credentials: ['none', 'key', 'documentToken'],
    parameters: [ID],
    body: 'Claim',
    successes: [
      {
        status: 200,
        description: 'The document with its JWE. It’s deleted now.',
        data: 'Document',
        headers: DOCUMENT_HEADERS.filter((name) => name !== 'ETag'),
      },
    ],
    errors: [
      invalid(['token'], 'Expected base64url of 32 bytes', 'The body isn’t valid.'),
      [invalidPassword(), 'The token is wrong, so the password was.'],
      NOT_FOUND,
      TOO_LARGE,
      WRONG_TYPE,
      ...FAULTS,
    ],
    examples: [
      {
        name: 'claim',
        title: 'Get the JWE and burn the document',
        credential: 'none',
        body: { token: 'YOUR_CLAIM_TOKEN' },
        prints: 'data',
      },
    ],
  },
]
