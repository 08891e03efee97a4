import {
  AppError,
  accountFull,
  accountNotConfirmed,
  anonymousDocument,
  anonymousDocumentsRefused,
  contentNotText,
  contentTooLarge,
  creatorOnly,
  documentNotFound,
  editNotAllowed,
  editorsChangeNotAllowed,
  encryptedContentNotEditable,
  idempotencyKeyReused,
  invalidBody,
  invalidPassword,
  issueAt,
  keyScopeTooSmall,
  notTheCreator,
  passwordRequired,
  proofRequired,
  repeatedDocumentGone,
  serverFull,
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
    'The password of an encrypted document, which the server then decrypts. Use the header `X-Document-Password` instead if you can, because URLs end up in logs.',
  schema: { type: 'string' },
}

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you have. If it’s still current, the response is 304 without content, and counts no view. Ignored for encrypted and burn-after-reading documents.',
  schema: { type: 'string' },
  example: '"json-RB46RpnSxf95"',
}

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you’re editing. If someone else saved first, the response is 412.',
  schema: { type: 'string' },
  example: '"json-RB46RpnSxf95"',
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes the request repeatable: for 24 hours, a request with the same key and body, from the same account or network, gets the document of the first one. Use a random value such as a UUID. If the document is to be encrypted, send a password.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '4f6bfa0e-5a9e-4b0e-9d4c-0d2f1f0a8c55',
}

const DOCUMENT_HEADERS: readonly HeaderName[] = ['Cache-Control', 'ETag', 'X-Robots-Tag']

const NOT_FOUND: ErrorCase = [documentNotFound(), 'The document doesn’t exist, was deleted or has expired.']
const TOO_LARGE: ErrorCase = [contentTooLarge(), 'The content or the request body is too large.']
const WRONG_TYPE: ErrorCase = [unsupportedMediaType(), 'The body isn’t `application/json`.']
const WRONG_PASSWORD: ErrorCase = [invalidPassword(), 'The password is wrong.']
const NOT_CONFIRMED: ErrorCase = [
  accountNotConfirmed(),
  'The request uses settings, but the email address of the account isn’t verified.',
]
/** Of a create, an edit and a deletion. */
const READ_ONLY_KEY: ErrorCase = [keyScopeTooSmall('read', 'write'), 'The scope of the key is `read`.']
const ACCOUNT_FULL: ErrorCase = [
  accountFull(),
  'Your account has as many documents, or as much text, as the server allows.',
]
const SERVER_FULL: ErrorCase = [
  serverFull(),
  'The server has as many documents, or as much text, as its operator allows.',
]
const invalid = (path: readonly string[], message: string, when: string): ErrorCase => [
  invalidBody(issueAt(path, message)),
  when,
]

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

export const DOCUMENT_OPERATIONS: readonly Operation[] = [
  {
    id: 'createDocument',
    method: 'post',
    path: '/v1/document',
    tag: 'Documents',
    summary: 'Create a document',
    description:
      'With a key, the document belongs to your account, and you can send settings. Without a key, you can send content, and settings that equal the defaults. The response then has the header `X-Document-Token`: keep it, because you need it to edit or delete the document later.',
    credentials: ['none', 'key'],
    parameters: [IDEMPOTENCY_KEY],
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
        'The key is invalid. Or you sent no key, but used settings, or the server requires a key for every document.',
      ],
      NOT_CONFIRMED,
      READ_ONLY_KEY,
      ACCOUNT_FULL,
      [
        anonymousDocumentsRefused(),
        'You sent no key, and the operator has switched off documents without an account for now.',
      ],
      SERVER_FULL,
      [idempotencyKeyReused(), 'A request with the same `Idempotency-Key` had another body.'],
      [
        repeatedDocumentGone(),
        'The request repeats another one, whose document was deleted, was burned, has expired or was taken over by an account.',
      ],
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
        title: 'Encrypt with a generated password, and burn after reading',
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
      'The creator, the editors and the holder of the document’s token may edit. An edit is applied completely or not at all. Only the creator can change the editors, make the document expire earlier or turn on `instant_delete`. To change the content of an encrypted document, send its `password`, or a JWE and `client_encrypted`. An editor who sends a JWE also proves the password, with `claim_token`.',
    credentials: ['key', 'documentToken'],
    parameters: [IF_MATCH],
    body: 'DocumentChange',
    successes: [
      { status: 200, description: 'The changed document.', data: 'Document', headers: DOCUMENT_HEADERS },
    ],
    errors: [
      invalid(['settings', 'encrypted'], 'Can’t be changed', 'The body isn’t valid.'),
      WRONG_PASSWORD,
      [
        encryptedContentNotEditable(issueAt(['password'], 'Required')),
        'You sent new content for an encrypted document without its password.',
      ],
      [contentNotText(), 'With `password`: a client encrypted data that isn’t text.'],
      [unauthorized(), 'The key is invalid, or you sent neither a key nor a document token.'],
      NOT_CONFIRMED,
      READ_ONLY_KEY,
      [editNotAllowed(), 'You’re neither the creator nor an editor, or the document token is wrong.'],
      ACCOUNT_FULL,
      SERVER_FULL,
      [editorsChangeNotAllowed(), 'An editor tried to change the editors.'],
      [creatorOnly(), 'An editor tried to make the document expire earlier, or to turn on `instant_delete`.'],
      [
        proofRequired(),
        'An editor sent a JWE without `claim_token`, or the server can’t check it: send the password.',
      ],
      [anonymousDocument('public'), 'With a document token: only documents of accounts can be public.'],
      [anonymousDocument('editors'), 'With a document token: only documents of accounts can have editors.'],
      NOT_FOUND,
      [
        new AppError('precondition_failed', 'The document has changed since you read it'),
        '`If-Match` isn’t the current version. The `ETag` of the response is.',
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
      'Counts a view. Deletes a burn-after-reading document, unless its creator or an editor reads it. Without the password, the `content` of an encrypted document is its JWE. Ignores an invalid key or a wrong document token.',
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
      'Returns the status and the headers of a read, without a body. Doesn’t count a view, burn or decrypt.',
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
      'Only the creator and the holder of the document’s token may delete it. If a reader has already burned a burn-after-reading document, the response is 404. So a success means that nobody has read it.',
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
      [unauthorized(), 'The key is invalid, or you sent neither a key nor a document token.'],
      READ_ONLY_KEY,
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
    summary: 'Get the header for a claim',
    description:
      'Returns the JWE header of an encrypted burn-after-reading document, without burning it. Derive the claim token from this header and the password.',
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
      'Proves that you know the password of an encrypted burn-after-reading document, without revealing the password. Returns the document with its JWE and burns it in the same step. To derive the token, apply PBKDF2-HMAC-SHA-512 to the password, with `p2c` iterations and 32 bytes of output, and encode the result as base64url. The salt is `regent-claim`, a zero byte and the decoded bytes of `p2s`.',
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
      [invalidPassword(), 'The token is wrong, which means that the password was wrong.'],
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
