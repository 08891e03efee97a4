import {
  invalidCursor,
  invalidQuery,
  issueAt,
  keyScopeTooSmall,
  routeNotFound,
  unauthorized,
  userNotFound,
} from '../../errors.ts'
import { BOOKMARK } from './document-parameters.ts'
import {
  type ErrorCase,
  FAULTS,
  INTERNAL_ERROR,
  type Operation,
  type Success,
  TOO_MANY_REQUESTS,
} from './operation.ts'
import { LIST_PARAMETERS, PUBLIC_PARAMETERS } from './schemas.ts'
import type { Parameter } from './types.ts'

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  limit: 'The maximum number of documents on a page.',
  cursor: 'The `cursor` of the previous page.',
  language: 'The language label of the documents, in any letter case.',
  search: 'Part of the title, in any letter case. Searches the 100,000 newest public documents.',
}

const PAGE: Success = {
  status: 200,
  description: 'One page of documents.',
  data: 'DocumentPage',
  headers: ['Cache-Control'],
}

const PAGE_ERRORS: readonly ErrorCase[] = [
  [invalidQuery(issueAt(['limit'], 'Too big: expected number to be <=100')), 'A parameter isn’t valid.'],
  [invalidCursor(), 'The cursor isn’t one that this list returned.'],
]

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
    successes: [PAGE],
    errors: [...PAGE_ERRORS, [routeNotFound(), 'The operator has switched public lists off.'], ...FAULTS],
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

const NO_KEY: ErrorCase = [unauthorized(), 'There is no valid key.']

const LIST_DESCRIPTIONS: Readonly<Record<string, string>> = {
  limit: 'The maximum number of documents on a page.',
  cursor: 'The `cursor` of the previous page, with the same `sort`.',
  sort: 'The order of the documents.',
  search: 'Part of the title, in any letter case.',
  shared: '`true` lists documents that others let you edit, instead of your own.',
}

const getListParameters = (): Parameter[] =>
  Object.entries(LIST_PARAMETERS).map(([name, schema]) => ({
    name,
    in: 'query',
    description: LIST_DESCRIPTIONS[name] ?? '',
    // Query values are text, so the boolean is one of two strings.
    schema: name === 'shared' ? { ...schema, enum: ['true', 'false'], default: 'false' } : schema,
  }))

export const USER_OPERATIONS: readonly Operation[] = [
  {
    id: 'readOwnAccount',
    method: 'get',
    path: '/v1/users/@me',
    tag: 'Accounts',
    summary: 'Read your account',
    description: 'Returns the account of the key, with its email address.',
    credentials: ['key'],
    parameters: [],
    successes: [{ status: 200, description: 'Your account.', data: 'Account', headers: ['Cache-Control'] }],
    errors: [NO_KEY, ...FAULTS],
    examples: [{ name: 'me', title: 'Read your account', credential: 'key', prints: 'data' }],
  },
  {
    id: 'listRecentDocuments',
    method: 'get',
    path: '/v1/users/@me/recent',
    tag: 'Accounts',
    summary: 'List your newest documents',
    description: 'Returns your ten newest documents, without content.',
    credentials: ['key'],
    parameters: [],
    successes: [
      {
        status: 200,
        description: 'Your newest documents.',
        data: 'RecentDocuments',
        headers: ['Cache-Control'],
      },
    ],
    errors: [NO_KEY, ...FAULTS],
    examples: [{ name: 'recent', title: 'List your newest documents', credential: 'key', prints: 'data' }],
  },
  {
    id: 'listDocuments',
    method: 'get',
    path: '/v1/users/@me/documents',
    tag: 'Accounts',
    summary: 'List your documents',
    description:
      'Returns your documents page by page, without content. If you follow the cursors to the end, you get each document exactly once, except for documents that are created, deleted or moved within the order in the meantime.',
    credentials: ['key'],
    parameters: getListParameters(),
    successes: [PAGE],
    errors: [...PAGE_ERRORS, NO_KEY, ...FAULTS],
    examples: [
      {
        name: 'list',
        title: 'Find your largest documents about “log”',
        credential: 'key',
        query: { sort: 'largest', search: 'log', limit: '50' },
        prints: 'data',
      },
    ],
  },
  {
    id: 'replaceKey',
    method: 'post',
    path: '/v1/users/@me/regenerate_api_token',
    tag: 'Accounts',
    summary: 'Replace your API key',
    description:
      'Replaces the key that you send, whose scope must be `everything`. The new key has the same scope and expiry. The old key stops working at once. If two calls arrive together, only one of them gets a new key.',
    credentials: ['key'],
    parameters: [],
    successes: [
      {
        status: 200,
        description: 'Your account and the new key.',
        data: 'AccountWithKey',
        headers: ['Cache-Control', 'X-Bookmark'],
      },
    ],
    errors: [
      NO_KEY,
      [keyScopeTooSmall('write', 'everything'), 'The scope of the key isn’t `everything`.'],
      ...FAULTS,
    ],
    examples: [{ name: 'replace-key', title: 'Replace your API key', credential: 'key', prints: 'data' }],
  },
  {
    id: 'searchUsers',
    method: 'get',
    path: '/v1/users/search/{prefix}',
    tag: 'Accounts',
    summary: 'Search accounts',
    description: 'Returns at most 10 accounts whose usernames start with the prefix, in alphabetical order.',
    credentials: ['key'],
    parameters: [
      {
        name: 'prefix',
        in: 'path',
        required: true,
        description: 'The start of the username, in any letter case.',
        schema: { type: 'string' },
        example: 'dem',
      },
    ],
    successes: [
      { status: 200, description: 'The accounts.', data: 'FoundUsers', headers: ['Cache-Control'] },
    ],
    errors: [NO_KEY, ...FAULTS],
    examples: [
      { name: 'search-users', title: 'Find accounts by username', credential: 'key', prints: 'data' },
    ],
  },
  {
    id: 'readUser',
    method: 'get',
    path: '/v1/users/{username}',
    tag: 'Accounts',
    summary: 'Read a profile',
    description: 'Returns the public profile of an account.',
    credentials: ['none'],
    parameters: [
      {
        name: 'username',
        in: 'path',
        required: true,
        description: 'The username, in any letter case.',
        schema: { type: 'string' },
        example: 'demo',
      },
    ],
    successes: [{ status: 200, description: 'The profile.', data: 'Creator', headers: ['Cache-Control'] }],
    errors: [[userNotFound(), 'The account doesn’t exist, is suspended or is being deleted.'], ...FAULTS],
    examples: [{ name: 'profile', title: 'Read a profile', credential: 'none', prints: 'data' }],
  },
  {
    id: 'greet',
    method: 'get',
    path: '/v1',
    tag: 'Service',
    summary: 'Get a greeting',
    description: 'Confirms that this is a Regent server, and returns links to its API reference.',
    credentials: ['none'],
    parameters: [],
    successes: [{ status: 200, description: 'A greeting.', data: 'Greeting', headers: [] }],
    errors: [TOO_MANY_REQUESTS, INTERNAL_ERROR],
    examples: [{ name: 'greet', title: 'Get a greeting', credential: 'none', prints: 'data' }],
  },
]
