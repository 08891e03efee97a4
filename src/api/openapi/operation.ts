import { type AppError, toAppError, unavailable } from '../../errors.ts'
import { limitExceeded } from '../../http/limits-table.ts'
import type { RequestName, ResponseName } from './schemas.ts'
import type { Method, Parameter } from './types.ts'

export type HeaderName =
  | 'Access-Control-Allow-Origin'
  | 'Access-Control-Expose-Headers'
  | 'Cache-Control'
  | 'ETag'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Retry-After'
  | 'X-Bookmark'
  | 'X-Content-Type-Options'
  | 'X-Document-Token'
  | 'X-Request-Id'
  | 'X-Robots-Tag'

/** `none` means that a request can do without. */
export type Credential = 'none' | 'key' | 'documentToken' | 'documentPassword'

export interface ExampleRequest {
  /** Unique among all examples. */
  readonly name: string
  readonly title: string
  readonly credential: Credential
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly prints: 'data' | 'link and token' | 'status'
}

export interface Success {
  readonly status: 200 | 204 | 304
  readonly description: string
  readonly data?: ResponseName
  readonly headers: readonly HeaderName[]
}

export type ErrorCase = readonly [error: AppError, when: string]

export interface Operation {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly tag: 'Documents' | 'Accounts' | 'Service'
  readonly summary: string
  /** Full sentences, with code in backticks. */
  readonly description: string
  readonly credentials: readonly Credential[]
  readonly parameters: readonly Parameter[]
  readonly body?: RequestName
  readonly successes: readonly Success[]
  readonly errors: readonly ErrorCase[]
  readonly examples: readonly ExampleRequest[]
}

export const INTERNAL_ERROR: ErrorCase = [toAppError(null), 'Something went wrong on the server.']

export const TOO_MANY_REQUESTS: ErrorCase = [
  limitExceeded('reads'),
  'You’ve sent too many requests. Try again after `Retry-After` seconds.',
]

export const FAULTS: readonly ErrorCase[] = [
  TOO_MANY_REQUESTS,
  INTERNAL_ERROR,
  [unavailable(null), 'Storage failed or didn’t answer in time. Try again after `Retry-After` seconds.'],
]
