import {
  type AppError,
  accountFull,
  accountNotConfirmed,
  contentTooLarge,
  documentNotFound,
  invalidBody,
  invalidCursor,
  invalidPassword,
  invalidQuery,
  issueAt,
  keyScopeTooSmall,
  serverFull,
  toAppError,
  unauthorized,
  unavailable,
  unsupportedMediaType,
} from '../../errors.ts'
import { limitExceeded } from '../../http/limits-table.ts'
import type { HeaderName, Parameter } from './parameters-and-headers.ts'
import type { RequestName } from './schemas.ts'

/** `none` means that a request can do without. */
export type Credential = 'none' | 'key' | 'documentToken' | 'documentPassword'

export interface ExampleRequest {
  /** The name of the example, which no other one has. */
  readonly name: string
  readonly title: string
  readonly credential: Credential
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly prints: 'data' | 'link and token' | 'status'
}

export interface Success {
  readonly status: 200 | 204 | 304
  readonly description: string
  /** The name of a schema. */
  readonly data?: string
  readonly headers: readonly HeaderName[]
}

export type ErrorCase = readonly [error: AppError, when: string]

export interface Operation {
  readonly id: string
  readonly method: 'get' | 'head' | 'post' | 'patch' | 'delete'
  readonly path: string
  readonly tag: 'Documents' | 'Accounts' | 'Service'
  readonly summary: string
  /** Has full sentences, with code in backticks. */
  readonly description: string
  readonly credentials: readonly Credential[]
  readonly parameters: readonly Parameter[]
  readonly body?: RequestName
  readonly successes: readonly Success[]
  readonly errors: readonly ErrorCase[]
  readonly examples: readonly ExampleRequest[]
}

export const ok = (
  description: string,
  data?: string,
  headers: readonly HeaderName[] = ['Cache-Control'],
): Success => ({ status: 200, description, ...(data && { data }), headers })

/** Errors that concern a body as a whole, rather than its members. */
const BODY_ERRORS: readonly ErrorCase[] = [
  [contentTooLarge(), 'The content or the request body is too large.'],
  [unsupportedMediaType(), 'The body isn’t `application/json`.'],
]

const ANYWHERE: readonly ErrorCase[] = [
  [limitExceeded('reads'), 'You’ve sent too many requests. Try again after `Retry-After` seconds.'],
  [toAppError(null), 'Something went wrong on the server.'],
]

const STORAGE_FAULT: ErrorCase = [
  unavailable(null),
  'Storage failed or didn’t answer in time. Try again after `Retry-After` seconds.',
]

interface DescribedOperation extends Omit<Operation, 'tag' | 'parameters' | 'examples'> {
  readonly parameters?: readonly Parameter[]
  /** The errors of this operation alone. Those of every body and every request, and storage faults, are added. */
  readonly errors: readonly ErrorCase[]
  readonly usesStorage?: false
  /** Examples by their names. The title is the summary, and the credential the operation's first, unless an example has others. */
  readonly examples: Readonly<Record<string, Partial<ExampleRequest>>>
}

export const describeOperations = (
  tag: Operation['tag'],
  described: readonly DescribedOperation[],
): Operation[] =>
  described.map(({ parameters = [], errors, usesStorage = true, examples, ...operation }) => ({
    ...operation,
    tag,
    parameters,
    errors: [
      ...errors,
      ...(operation.body ? BODY_ERRORS : []),
      ...ANYWHERE,
      ...(usesStorage ? [STORAGE_FAULT] : []),
    ],
    examples: Object.entries(examples).map(([name, example]) => ({
      name,
      title: operation.summary,
      credential: operation.credentials[0] ?? 'none',
      prints: operation.successes[0]?.data ? 'data' : 'status',
      ...example,
    })),
  }))

export const NOT_FOUND: ErrorCase = [
  documentNotFound(),
  'The document doesn’t exist, was deleted or has expired.',
]
export const WRONG_PASSWORD: ErrorCase = [invalidPassword(), 'The password is wrong.']
export const NO_CREDENTIAL: ErrorCase = [
  unauthorized(),
  'The key is invalid, or you sent neither a key nor a document token.',
]
export const NOT_CONFIRMED: ErrorCase = [
  accountNotConfirmed(),
  'The request uses settings, but the email address of the account isn’t verified.',
]
export const READ_ONLY_KEY: ErrorCase = [keyScopeTooSmall('read', 'write'), 'The scope of the key is `read`.']
export const FULL: readonly ErrorCase[] = [
  [accountFull(), 'Your account has as many documents, or as much text, as the server allows.'],
  [serverFull(), 'The server has as many documents, or as much text, as its operator allows.'],
]
export const invalid = (path: readonly string[], message: string, when: string): ErrorCase => [
  invalidBody(issueAt(path, message)),
  when,
]

export const PAGE_LIMIT = 'The maximum number of documents on a page.'

export const PAGE = [ok('One page of documents.', 'DocumentPage')]

export const PAGE_ERRORS: readonly ErrorCase[] = [
  [invalidQuery(issueAt(['limit'], 'Too big: expected number to be <=100')), 'A parameter isn’t valid.'],
  [invalidCursor(), 'The cursor isn’t one that this list returned.'],
]
