/** The message for everyone who wants to change something on a read-only server. */
export const READ_ONLY_MESSAGE =
  'This server is read-only for maintenance. You can read documents, but not create, change or delete them'

export const STATUS_BY_CODE = {
  bad_request: 400,
  unauthorized: 401,
  bad_auth: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  content_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof STATUS_BY_CODE

/** Has the shape of a Zod issue, and is an element of `error.errors` in API responses. */
export interface Issue {
  readonly code: string
  /** The place in the body or query, such as `['settings', 'password']`. */
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** One line for clients that show no more: `settings.password: Too big: …`. */
export const formatIssue = ({ path, message }: Issue): string =>
  path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`
