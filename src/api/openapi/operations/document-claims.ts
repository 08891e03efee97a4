import { documentNotFound, invalidPassword } from '../../../errors.ts'
import { FAULTS } from '../faults.ts'
import type { Operation } from '../operation.ts'
import { invalid, NOT_FOUND, TOO_LARGE, WRONG_TYPE } from './document-errors.ts'
import { DOCUMENT_HEADERS, ID } from './document-parameters.ts'

export const CLAIM_OPERATIONS: readonly Operation[] = [
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
