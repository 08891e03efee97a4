import { MAX_REVISION_MIB, MAX_REVISIONS } from '../../documents/revisions.ts'
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
  nameOfCreator,
  nameTaken,
  notTheCreator,
  passwordRequired,
  proofRequired,
  repeatedDocumentGone,
  revisionsOfCreator,
  routeNotFound,
  unauthorized,
} from '../../errors.ts'
import { publicQuery } from '../schemas.lazy.ts'
import {
  describeOperations,
  type ErrorCase,
  FULL,
  invalid,
  NO_CREDENTIAL,
  NOT_CONFIRMED,
  NOT_FOUND,
  ok,
  PAGE,
  PAGE_ERRORS,
  PAGE_LIMIT,
  READ_ONLY_KEY,
  type Success,
  WRONG_PASSWORD,
} from './operation.ts'
import {
  BOOKMARK,
  CLAIM_TOKEN,
  DOCUMENT_HEADERS,
  describeQuery,
  EXAMPLE_ID,
  type HeaderName,
  ID,
  IDEMPOTENCY_KEY,
  IF_MATCH,
  IF_NONE_MATCH,
  inPath,
  PASSWORD,
  passwordHeader,
} from './parameters-and-headers.ts'

const CHANGED: readonly HeaderName[] = [...DOCUMENT_HEADERS, 'X-Bookmark']

const NOT_MODIFIED: Success = {
  status: 304,
  description: 'You have the current version.',
  headers: DOCUMENT_HEADERS,
}

const deleted = (description: string): Success => ({ status: 204, description, headers: ['X-Bookmark'] })

const NOT_TEXT: ErrorCase = [contentNotText(), 'A client encrypted data that isn’t text.']

const OUTDATED: ErrorCase = [
  new AppError('precondition_failed', 'The document has changed since you read it'),
  '`If-Match` isn’t the current version. The `ETag` of the response is.',
]

const PASSWORD_REQUIRED: ErrorCase = [
  passwordRequired(),
  'The document is encrypted and burns after reading, and the request has no password.',
]

const NAME_TAKEN: ErrorCase = [nameTaken(), 'Another document of the account has this `name`.']

const DOCUMENTS = describeOperations('Documents', [
  {
    id: 'createDocument',
    method: 'post',
    path: '/v1/document',
    summary: 'Create a document',
    description:
      'With a key, the document belongs to your account, and you can send settings. Without a key, you can send content, and settings that equal the defaults. The response then has the header `X-Document-Token`: keep it, because you need it to edit or delete the document later.',
    credentials: ['none', 'key'],
    parameters: [IDEMPOTENCY_KEY],
    body: 'NewDocument',
    successes: [ok('The document was created.', 'CreatedDocument', [...CHANGED, 'X-Document-Token'])],
    errors: [
      invalid(['settings', 'password'], 'Requires encrypted: true', 'The body isn’t valid.'),
      [
        unauthorized(),
        'The key is invalid. Or you sent no key, but used settings, or the server requires a key for every document.',
      ],
      NOT_CONFIRMED,
      READ_ONLY_KEY,
      ...FULL,
      [
        anonymousDocumentsRefused(),
        'You sent no key, and the operator has switched off documents without an account for now.',
      ],
      NAME_TAKEN,
      [idempotencyKeyReused(), 'A request with the same `Idempotency-Key` had another body.'],
      [
        repeatedDocumentGone(),
        'The request repeats another one, whose document was deleted, was burned, has expired or was taken over by an account.',
      ],
    ],
    examples: {
      create: { title: 'Share a text', body: { content: 'Hello' }, prints: 'link and token' },
      'create-settings': {
        title: 'Share Markdown for 30 days, with your key',
        credential: 'key',
        body: { content: '# Hello', settings: { language: 'markdown', expiration: 30 } },
      },
      'create-encrypted': {
        title: 'Encrypt with a generated password, and burn after reading',
        credential: 'key',
        body: { content: 'attack at dawn', settings: { encrypted: true, instant_delete: true } },
      },
    },
  },
  {
    id: 'editDocument',
    method: 'patch',
    path: '/v1/document',
    summary: 'Edit a document',
    description:
      'The creator, the editors and the holder of the document’s token may edit. An edit is applied completely or not at all. Only the creator can change the editors, make the document expire earlier or turn on `instant_delete`. To change the content of an encrypted document, send its `password`, or a JWE and `client_encrypted`. An editor who sends a JWE also proves the password, with `claim_token`.',
    credentials: ['key', 'documentToken'],
    parameters: [IF_MATCH],
    body: 'DocumentChange',
    successes: [ok('The changed document.', 'Document', CHANGED)],
    errors: [
      invalid(['settings', 'encrypted'], 'Can’t be changed', 'The body isn’t valid.'),
      WRONG_PASSWORD,
      [
        encryptedContentNotEditable(issueAt(['password'], 'Required')),
        'You sent new content for an encrypted document without its password.',
      ],
      [contentNotText(), 'With `password`: a client encrypted data that isn’t text.'],
      NO_CREDENTIAL,
      NOT_CONFIRMED,
      READ_ONLY_KEY,
      [editNotAllowed(), 'You’re neither the creator nor an editor, or the document token is wrong.'],
      ...FULL,
      [editorsChangeNotAllowed(), 'An editor tried to change the editors.'],
      [nameOfCreator(), 'An editor tried to change the name.'],
      [creatorOnly(), 'An editor tried to make the document expire earlier, or to turn on `instant_delete`.'],
      [
        proofRequired(),
        'An editor sent a JWE without `claim_token`, or the server can’t check it: send the password.',
      ],
      [anonymousDocument('public'), 'With a document token: only documents of accounts can be public.'],
      [anonymousDocument('editors'), 'With a document token: only documents of accounts can have editors.'],
      [anonymousDocument('name'), 'With a document token: only documents of accounts can have a name.'],
      NOT_FOUND,
      NAME_TAKEN,
      OUTDATED,
    ],
    examples: {
      edit: {
        title: 'Change the text and the language',
        body: { id: EXAMPLE_ID, content: 'Hello again', settings: { language: 'markdown' } },
      },
      'edit-anonymous': {
        title: 'Change a document that you created without a key',
        credential: 'documentToken',
        body: { id: EXAMPLE_ID, content: 'Hello again', settings: { expiration: 1 } },
      },
    },
  },
  {
    id: 'readDocument',
    method: 'get',
    path: '/v1/document/{id}',
    summary: 'Read a document',
    description:
      'Counts a view. Deletes a burn-after-reading document, unless its creator or an editor reads it. Without the password, the `content` of an encrypted document is its JWE. Ignores an invalid key or a wrong document token.',
    credentials: ['none', 'key', 'documentToken', 'documentPassword'],
    parameters: [ID, PASSWORD, IF_NONE_MATCH, BOOKMARK],
    successes: [ok('The document.', 'Document', DOCUMENT_HEADERS), NOT_MODIFIED],
    errors: [WRONG_PASSWORD, PASSWORD_REQUIRED, NOT_TEXT, NOT_FOUND],
    examples: {
      read: {},
      'read-encrypted': { title: 'Decrypt a document', credential: 'documentPassword' },
    },
  },
  {
    id: 'checkDocument',
    method: 'head',
    path: '/v1/document/{id}',
    summary: 'Check a document',
    description:
      'Returns the status and the headers of a read, without a body. Doesn’t count a view, burn or decrypt.',
    credentials: ['none', 'key', 'documentToken', 'documentPassword'],
    parameters: [ID, PASSWORD, IF_NONE_MATCH, BOOKMARK],
    successes: [ok('The document exists.', undefined, DOCUMENT_HEADERS), NOT_MODIFIED],
    // It never decrypts, so it can't find out that a password is wrong.
    errors: [PASSWORD_REQUIRED, NOT_FOUND],
    examples: { check: { title: 'Find out whether a document exists' } },
  },
  {
    id: 'deleteDocument',
    method: 'delete',
    path: '/v1/document/{id}',
    summary: 'Delete a document',
    description:
      'Only the creator and the holder of the document’s token may delete it. If a reader has already burned a burn-after-reading document, the response is 404. So a success means that nobody has read it.',
    credentials: ['key', 'documentToken'],
    parameters: [ID],
    successes: [
      deleted('The document was deleted.'),
      ok('The document was deleted, on a server with `LEGACY_CLIENTS=on`.', 'Empty', ['X-Bookmark']),
    ],
    errors: [
      NO_CREDENTIAL,
      READ_ONLY_KEY,
      [notTheCreator(), 'You aren’t the creator, or the document token is wrong.'],
      NOT_FOUND,
    ],
    examples: {
      delete: {},
      'delete-anonymous': {
        title: 'Delete a document that you created without a key',
        credential: 'documentToken',
      },
    },
  },
  {
    id: 'readClaimHeader',
    method: 'get',
    path: '/v1/document/{id}/claim',
    summary: 'Get the header for a claim',
    description:
      'Returns the JWE header of an encrypted burn-after-reading document, without burning it. Derive the claim token from this header and the password.',
    credentials: ['none'],
    parameters: [ID],
    successes: [ok('The header.', 'ClaimHeader')],
    errors: [
      [documentNotFound(), 'The document doesn’t exist, or isn’t an encrypted burn-after-reading document.'],
    ],
    examples: { 'claim-header': { title: 'Get the header of the JWE' } },
  },
  {
    id: 'claimDocument',
    method: 'post',
    path: '/v1/document/{id}/claim',
    summary: 'Claim a document',
    description:
      'Proves that you know the password of an encrypted burn-after-reading document, without revealing the password. Returns the document with its JWE and burns it in the same step. To derive the token, apply PBKDF2-HMAC-SHA-512 to the password, with `p2c` iterations and 32 bytes of output, and encode the result as base64url. The salt is `regent-claim`, a zero byte and the decoded bytes of `p2s`.',
    credentials: ['none', 'key', 'documentToken'],
    parameters: [ID],
    body: 'Claim',
    successes: [
      ok('The document with its JWE. It’s deleted now.', 'Document', [
        'Cache-Control',
        'X-Robots-Tag',
        'X-Bookmark',
      ]),
    ],
    errors: [
      invalid(['token'], 'Expected base64url of 32 bytes', 'The body isn’t valid.'),
      [invalidPassword(), 'The token is wrong, which means that the password was wrong.'],
      NOT_FOUND,
    ],
    examples: {
      claim: { title: 'Get the JWE and burn the document', body: { token: 'YOUR_CLAIM_TOKEN' } },
    },
  },
])

const NUMBER = inPath('number', 'The number of the revision, from the list.', 1, {
  type: 'integer',
  minimum: 1,
})

const REVISION_HEADERS: readonly HeaderName[] = ['Cache-Control', 'X-Robots-Tag']

const NO_REVISIONS: ErrorCase = [
  documentNotFound(),
  'There is no such document, or you’re neither its creator nor an editor.',
]
const NO_REVISION: ErrorCase = [
  documentNotFound(),
  'There is no such document or revision, or you’re neither the document’s creator nor an editor.',
]

const REVISIONS = describeOperations('Documents', [
  {
    id: 'listRevisions',
    method: 'get',
    path: '/v1/document/{id}/revisions',
    summary: 'List revisions',
    description: `Each edit of the content keeps the previous content as a revision: the newest ${MAX_REVISIONS}, and at most ${MAX_REVISION_MIB} MiB of text. The creator, the editors and the holder of the document’s token see them. Documents that burn after reading have none.`,
    credentials: ['key', 'documentToken'],
    parameters: [ID],
    successes: [ok('The revisions.', 'Revisions', REVISION_HEADERS)],
    errors: [NO_REVISIONS],
    examples: { 'list-revisions': { title: 'List what a document has been' } },
  },
  {
    id: 'readRevision',
    method: 'get',
    path: '/v1/document/{id}/revisions/{number}',
    summary: 'Read a revision',
    description:
      'Without the password, the `content` of a revision of an encrypted document is its JWE. It needs the password that the document had at that time. Counts no view.',
    credentials: ['key', 'documentToken'],
    parameters: [
      ID,
      NUMBER,
      PASSWORD,
      passwordHeader('The password of an encrypted document, which the server then decrypts.'),
    ],
    successes: [ok('The revision.', 'Revision', REVISION_HEADERS)],
    errors: [WRONG_PASSWORD, NOT_TEXT, NO_REVISION],
    examples: { 'read-revision': { title: 'Read the first version' } },
  },
  {
    id: 'restoreRevision',
    method: 'post',
    path: '/v1/document/{id}/revisions/{number}/restore',
    summary: 'Restore a revision',
    description:
      'Makes the content and the language of a revision those of the document again. It’s an edit, so what they were before becomes a revision. An encrypted document then has the password that it had at that time.',
    credentials: ['key', 'documentToken'],
    parameters: [
      ID,
      NUMBER,
      IF_MATCH,
      passwordHeader(
        'The present password of an encrypted document. Editors need it or its claim token; the creator doesn’t.',
      ),
      CLAIM_TOKEN,
    ],
    successes: [ok('The restored document.', 'Document', CHANGED)],
    errors: [
      WRONG_PASSWORD,
      NO_CREDENTIAL,
      READ_ONLY_KEY,
      [
        proofRequired(),
        'An editor restored a revision of an encrypted document without its password or its claim token.',
      ],
      ...FULL,
      NO_REVISION,
      OUTDATED,
    ],
    examples: { 'restore-revision': { title: 'Restore the first version' } },
  },
  {
    id: 'deleteRevisions',
    method: 'delete',
    path: '/v1/document/{id}/revisions',
    summary: 'Delete all revisions',
    description: 'Deletes all revisions except the current content. Only the creator may do that.',
    credentials: ['key', 'documentToken'],
    parameters: [ID],
    successes: [deleted('The revisions were deleted.')],
    errors: [
      NO_CREDENTIAL,
      READ_ONLY_KEY,
      [revisionsOfCreator(), 'An editor tried to delete the revisions.'],
      NO_REVISIONS,
    ],
    examples: { 'delete-revisions': { title: 'Delete the history' } },
  },
])

const PUBLIC = describeOperations('Documents', [
  {
    id: 'listPublicDocuments',
    method: 'get',
    path: '/v1/public',
    summary: 'List public documents',
    description:
      'Returns the public documents of all accounts page by page, newest first, without content. Encrypted and burn-after-reading documents are never listed, nor are documents of suspended or deleted accounts. A page may have fewer documents than `limit`, or none, although its `cursor` isn’t null. If you follow the cursors to the end, you get each document that stays public exactly once.',
    credentials: ['none'],
    parameters: [
      ...describeQuery(publicQuery, {
        limit: PAGE_LIMIT,
        cursor: 'The `cursor` of the previous page.',
        language: 'The language label of the documents, in any letter case.',
        search:
          'Part of the title, in any letter case. A page searches at most 900 documents: follow the cursor for the next ones.',
      }),
      BOOKMARK,
    ],
    successes: PAGE,
    errors: [...PAGE_ERRORS, [routeNotFound(), 'The operator has switched public lists off.']],
    examples: {
      public: {
        title: 'Find public Markdown documents about “log”',
        query: { language: 'markdown', search: 'log' },
      },
    },
  },
])

export const DOCUMENT_OPERATIONS = [...DOCUMENTS, ...REVISIONS, ...PUBLIC]
