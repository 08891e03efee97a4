import {
  AppError,
  contentNotText,
  documentNotFound,
  proofRequired,
  revisionsOfCreator,
  unauthorized,
} from '../../errors.ts'
import {
  ACCOUNT_FULL,
  DOCUMENT_HEADERS,
  ID,
  IF_MATCH,
  PASSWORD,
  READ_ONLY_KEY,
  SERVER_FULL,
  WRONG_PASSWORD,
} from './document-parameters.ts'
import { type ErrorCase, FAULTS, type HeaderName, type Operation } from './operation.ts'
import type { Parameter } from './types.ts'

const NUMBER: Parameter = {
  name: 'number',
  in: 'path',
  required: true,
  description: 'The number of the revision, from the list.',
  schema: { type: 'integer', minimum: 1 },
  example: 1,
}

const passwordHeader = (description: string): Parameter => ({
  name: 'X-Document-Password',
  in: 'header',
  description,
  schema: { type: 'string' },
})

const HEADERS: readonly HeaderName[] = ['Cache-Control', 'X-Robots-Tag']

const NO_REVISIONS: ErrorCase = [
  documentNotFound(),
  'There is no such document, or you’re neither its creator nor an editor.',
]
const NO_REVISION: ErrorCase = [
  documentNotFound(),
  'There is no such document or revision, or you’re neither the document’s creator nor an editor.',
]
const NO_CREDENTIAL: ErrorCase = [
  unauthorized(),
  'The key is invalid, or you sent neither a key nor a document token.',
]

export const REVISION_OPERATIONS: readonly Operation[] = [
  {
    id: 'listRevisions',
    method: 'get',
    path: '/v1/document/{id}/revisions',
    tag: 'Documents',
    summary: 'List revisions',
    description:
      'Each edit of the content keeps the previous content as a revision: the newest 50, and at most 50 MiB of text. The creator, the editors and the holder of the document’s token see them. Documents that burn after reading have none.',
    credentials: ['key', 'documentToken'],
    parameters: [ID],
    successes: [{ status: 200, description: 'The revisions.', data: 'Revisions', headers: HEADERS }],
    errors: [NO_REVISIONS, ...FAULTS],
    examples: [
      { name: 'list-revisions', title: 'List what a document has been', credential: 'key', prints: 'data' },
    ],
  },
  {
    id: 'readRevision',
    method: 'get',
    path: '/v1/document/{id}/revisions/{number}',
    tag: 'Documents',
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
    successes: [{ status: 200, description: 'The revision.', data: 'Revision', headers: HEADERS }],
    errors: [
      WRONG_PASSWORD,
      [contentNotText(), 'A client encrypted data that isn’t text.'],
      NO_REVISION,
      ...FAULTS,
    ],
    examples: [{ name: 'read-revision', title: 'Read the first version', credential: 'key', prints: 'data' }],
  },
  {
    id: 'restoreRevision',
    method: 'post',
    path: '/v1/document/{id}/revisions/{number}/restore',
    tag: 'Documents',
    summary: 'Restore a revision',
    description:
      'Makes the content and the language of a revision those of the document again. It’s an edit, so what they were before becomes a revision. An encrypted document then has the password that it had at that time.',
    credentials: ['key', 'documentToken'],
    parameters: [
      ID,
      NUMBER,
      IF_MATCH,
      passwordHeader('The present password of an encrypted document. Editors need it; the creator doesn’t.'),
    ],
    successes: [
      {
        status: 200,
        description: 'The restored document.',
        data: 'Document',
        headers: [...DOCUMENT_HEADERS, 'X-Bookmark'],
      },
    ],
    errors: [
      WRONG_PASSWORD,
      NO_CREDENTIAL,
      READ_ONLY_KEY,
      [proofRequired(), 'An editor restored a revision of an encrypted document without its password.'],
      ACCOUNT_FULL,
      SERVER_FULL,
      NO_REVISION,
      [
        new AppError('precondition_failed', 'The document has changed since you read it'),
        '`If-Match` isn’t the current version. The `ETag` of the response is.',
      ],
      ...FAULTS,
    ],
    examples: [
      { name: 'restore-revision', title: 'Restore the first version', credential: 'key', prints: 'data' },
    ],
  },
  {
    id: 'deleteRevisions',
    method: 'delete',
    path: '/v1/document/{id}/revisions',
    tag: 'Documents',
    summary: 'Delete all revisions',
    description: 'Deletes all revisions except the current content. Only the creator may do that.',
    credentials: ['key', 'documentToken'],
    parameters: [ID],
    successes: [{ status: 204, description: 'The revisions were deleted.', headers: ['X-Bookmark'] }],
    errors: [
      NO_CREDENTIAL,
      READ_ONLY_KEY,
      [revisionsOfCreator(), 'An editor tried to delete the revisions.'],
      NO_REVISIONS,
      ...FAULTS,
    ],
    examples: [
      { name: 'delete-revisions', title: 'Delete the history', credential: 'key', prints: 'status' },
    ],
  },
]
