import {
  AppError,
  anonymousDocument,
  anonymousDocumentsRefused,
  contentNotText,
  creatorOnly,
  editNotAllowed,
  editorsChangeNotAllowed,
  encryptedContentNotEditable,
  idempotencyKeyReused,
  issueAt,
  notTheCreator,
  proofRequired,
  repeatedDocumentGone,
  unauthorized,
} from '../../../errors.ts'
import { FAULTS } from '../faults.ts'
import type { Operation } from '../operation.ts'
import {
  ACCOUNT_FULL,
  invalid,
  NOT_CONFIRMED,
  NOT_FOUND,
  READ_ONLY_KEY,
  SERVER_FULL,
  TOO_LARGE,
  WRONG_PASSWORD,
  WRONG_TYPE,
} from './document-errors.ts'
import { DOCUMENT_HEADERS, EXAMPLE_ID, ID, IDEMPOTENCY_KEY, IF_MATCH } from './document-parameters.ts'

export const CREATE_DOCUMENT: Operation = {
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

export const EDIT_DOCUMENT: Operation = {
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

export const DELETE_DOCUMENT: Operation = {
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
