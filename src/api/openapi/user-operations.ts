import { keyScopeTooSmall, unauthorized, userNotFound } from '../../errors.ts'
import { listQuery } from '../schemas.lazy.ts'
import { describeOperations, type ErrorCase, ok, PAGE, PAGE_ERRORS, PAGE_LIMIT } from './operation.ts'
import { describeQuery, inPath } from './parameters-and-headers.ts'

const NO_KEY: ErrorCase = [unauthorized(), 'There is no valid key.']

const USERS = describeOperations('Accounts', [
  {
    id: 'readOwnAccount',
    method: 'get',
    path: '/v1/users/@me',
    summary: 'Read your account',
    description: 'Returns the account of the key, with its email address.',
    credentials: ['key'],
    successes: [ok('Your account.', 'Account')],
    errors: [NO_KEY],
    examples: { me: {} },
  },
  {
    id: 'listRecentDocuments',
    method: 'get',
    path: '/v1/users/@me/recent',
    summary: 'List your newest documents',
    description: 'Returns your ten newest documents, without content.',
    credentials: ['key'],
    successes: [ok('Your newest documents.', 'RecentDocuments')],
    errors: [NO_KEY],
    examples: { recent: {} },
  },
  {
    id: 'listDocuments',
    method: 'get',
    path: '/v1/users/@me/documents',
    summary: 'List your documents',
    description:
      'Returns your documents page by page, without content. A page may have fewer documents than `limit`, or none, although its `cursor` isn’t null. The orders other than `newest` and `oldest` sort your 600 newest documents. If you follow the cursors to the end, you get each document exactly once, except for documents that are created, deleted or moved within the order in the meantime.',
    credentials: ['key'],
    parameters: describeQuery(listQuery, {
      limit: PAGE_LIMIT,
      cursor: 'The `cursor` of the previous page, with the same `sort`.',
      sort: 'The order of the documents.',
      search: 'Part of the title, in any letter case.',
      shared: '`true` lists documents that others let you edit, instead of your own.',
    }),
    successes: PAGE,
    errors: [...PAGE_ERRORS, NO_KEY],
    examples: {
      list: {
        title: 'Find your largest documents about “log”',
        query: { sort: 'largest', search: 'log', limit: '50' },
      },
    },
  },
  {
    id: 'replaceKey',
    method: 'post',
    path: '/v1/users/@me/regenerate_api_token',
    summary: 'Replace your API key',
    description:
      'Replaces the key that you send, whose scope must be `everything`. The new key has the same scope and expiry. The old key stops working at once. If two calls arrive together, only one of them gets a new key.',
    credentials: ['key'],
    successes: [ok('Your account and the new key.', 'AccountWithKey', ['Cache-Control', 'X-Bookmark'])],
    errors: [NO_KEY, [keyScopeTooSmall('write', 'everything'), 'The scope of the key isn’t `everything`.']],
    examples: { 'replace-key': {} },
  },
  {
    id: 'searchUsers',
    method: 'get',
    path: '/v1/users/search/{prefix}',
    summary: 'Search accounts',
    description: 'Returns at most 10 accounts whose usernames start with the prefix, in alphabetical order.',
    credentials: ['key'],
    parameters: [inPath('prefix', 'The start of the username, in any letter case.', 'dem')],
    successes: [ok('The accounts.', 'FoundUsers')],
    errors: [NO_KEY],
    examples: { 'search-users': { title: 'Find accounts by username' } },
  },
  {
    id: 'readUser',
    method: 'get',
    path: '/v1/users/{username}',
    summary: 'Read a profile',
    description: 'Returns the public profile of an account.',
    credentials: ['none'],
    parameters: [inPath('username', 'The username, in any letter case.', 'demo')],
    successes: [ok('The profile.', 'Creator')],
    errors: [[userNotFound(), 'The account doesn’t exist, is suspended or is being deleted.']],
    examples: { profile: {} },
  },
])

const SERVICE = describeOperations('Service', [
  {
    id: 'greet',
    method: 'get',
    path: '/v1',
    summary: 'Get a greeting',
    description: 'Confirms that this is a Regent server, and returns links to its API reference.',
    credentials: ['none'],
    successes: [ok('A greeting.', 'Greeting', [])],
    errors: [],
    usesStorage: false,
    examples: { greet: {} },
  },
])

export const USER_OPERATIONS = [...USERS, ...SERVICE]
