import {
  AppError,
  anonymousDocument,
  anonymousDocumentsRefused,
  contentNotText,
  creatorOnly,
  documentNotFound,
  editNotAllowed,
  editorsChangeNotAllowed,
  encryptedContentNotEditable,
  idempotencyKeyReused,
  invalidPassword,
  issueAt,
  notTheCreator,
  passwordRequired,
  proofRequired,
  repeatedDocumentGone,
  unauthorized,
} from '../../errors.ts'
import {
  ACCOUNT_FULL,
  BOOKMARK,
  DOCUMENT_HEADERS,
  EXAMPLE_ID,
  ID,
  IDEMPOTENCY_KEY,
  IF_MATCH,
  IF_NONE_MATCH,
  invalid,
  NOT_CONFIRMED,
  NOT_FOUND,
  PASSWORD,
  READ_ONLY_KEY,
  SERVER_FULL,
  TOO_LARGE,
  WRONG_PASSWORD,
  WRONG_TYPE,
} from './document-parameters.ts'
import { type ErrorCase, type ExampleRequest, FAULTS, type Operation } from './operation.ts'
import { REVISION_OPERATIONS } from './revision-operations.ts'

const CLAIM_OPERATIONS: readonly Operation[] = [
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
        headers: [...DOCUMENT_HEADERS.filter((name) => name !== 'ETag'), 'X-Bookmark'],
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

const READ_DOCUMENT: Operation = {
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

const CHECK_DOCUMENT: Operation = {
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

const CREATE_DOCUMENT: Operation = {
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
      headers: [...DOCUMENT_HEADERS, 'X-Bookmark', 'X-Document-Token'],
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
}

const EDIT_DOCUMENT: Operation = {
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
    {
      status: 200,
      description: 'The changed document.',
      data: 'Document',
      headers: [...DOCUMENT_HEADERS, 'X-Bookmark'],
    },
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
}

const DELETE_DOCUMENT: Operation = {
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
    { status: 204, description: 'The document was deleted.', headers: ['X-Bookmark'] },
    {
      status: 200,
      description: 'The document was deleted, on a server with `LEGACY_CLIENTS=on`.',
      data: 'Empty',
      headers: ['X-Bookmark'],
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
}

export const DOCUMENT_OPERATIONS: readonly Operation[] = [
  CREATE_DOCUMENT,
  EDIT_DOCUMENT,
  READ_DOCUMENT,
  CHECK_DOCUMENT,
  DELETE_DOCUMENT,
  ...CLAIM_OPERATIONS,
  ...REVISION_OPERATIONS,
]
