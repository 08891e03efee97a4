import type { AppError } from '../../errors.ts'
import type { RequestName, ResponseName } from './schemas.ts'
import type { Method, Parameter } from './types.ts'

/** The names of response headers, each described in `headers.ts`. */
export type HeaderName =
  | 'Access-Control-Allow-Origin'
  | 'Access-Control-Expose-Headers'
  | 'Cache-Control'
  | 'ETag'
  | 'Retry-After'
  | 'X-Content-Type-Options'
  | 'X-Document-Token'
  | 'X-Request-Id'
  | 'X-Robots-Tag'

/** How a request says who makes it. `none` is a choice, too. */
export type Credential = 'none' | 'key' | 'documentToken' | 'documentPassword'

/** A request to show, with placeholders where readers put something of their own. */
export interface ExampleRequest {
  /** Unique among all examples. */
  readonly name: string
  readonly title: string
  readonly credential: Credential
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  /** What the code prints of the response. */
  readonly prints: 'data' | 'link and token' | 'status'
}

export interface Success {
  readonly status: 200 | 204 | 304
  readonly description: string
  /** The schema of `data`; absent if there is no body. */
  readonly data?: ResponseName
  readonly headers: readonly HeaderName[]
}

/** An error that an operation answers, and when. */
export type ErrorCase = readonly [error: AppError, when: string]

export interface Operation {
  readonly id: string
  readonly method: Method
  /** With `{name}` for each parameter. */
  readonly path: string
  readonly tag: 'Documents' | 'Accounts' | 'Service'
  readonly summary: string
  /** Sentences. Code is in backticks. */
  readonly description: string
  /** The credentials that the operation takes. With `none` among them, it needs none. */
  readonly credentials: readonly Credential[]
  readonly parameters: readonly Parameter[]
  readonly body?: RequestName
  readonly successes: readonly Success[]
  readonly errors: readonly ErrorCase[]
  readonly examples: readonly ExampleRequest[]
}
