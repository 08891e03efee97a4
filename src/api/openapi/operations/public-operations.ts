import { invalidCursor, invalidQuery, issueAt, routeNotFound } from '../../../errors.ts'
import { FAULTS } from '../faults.ts'
import type { Operation } from '../operation.ts'
import { PUBLIC_PARAMETERS } from '../schemas.ts'
import { BOOKMARK } from './document-parameters.ts'

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  limit: 'The maximum number of documents on a page.',
  cursor: 'The `cursor` of the previous page.',
  language: 'The language label of the documents, in any letter case.',
  search: 'Part of the title, in any letter case. Searches the 100,000 newest public documents.',
}

export const PUBLIC_OPERATIONS: readonly Operation[] = [
  {
    id: 'listPublicDocuments',
    method: 'get',
    path: '/v1/public',
    tag: 'Documents',
    summary: 'List public documents',
    description:
      'Returns the public documents of all accounts page by page, newest first, without content. Encrypted and burn-after-reading documents are never listed, nor are documents of suspended or deleted accounts. If you follow the cursors to the end, you get each document that stays public exactly once.',
    credentials: ['none'],
    parameters: [
      ...Object.entries(PUBLIC_PARAMETERS).map(([name, schema]) => ({
        name,
        in: 'query' as const,
        description: DESCRIPTIONS[name] ?? '',
        schema,
      })),
      BOOKMARK,
    ],
    successes: [
      {
        status: 200,
        description: 'One page of documents.',
        data: 'DocumentPage',
        headers: ['Cache-Control'],
      },
    ],
    errors: [
      [invalidQuery(issueAt(['limit'], 'Too big: expected number to be <=100')), 'A parameter isn’t valid.'],
      [invalidCursor(), 'The cursor isn’t one that this list returned.'],
      [routeNotFound(), 'The operator has switched public lists off.'],
      ...FAULTS,
    ],
    examples: [
      {
        name: 'public',
        title: 'Find public Markdown documents about “log”',
        credential: 'none',
        query: { language: 'markdown', search: 'log' },
        prints: 'data',
      },
    ],
  },
]
