/** One finding of validation, in the shape of a Zod issue: the wire's `error.errors[]`. */
export interface Issue {
  readonly code: string
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The closed set of `error.code`, each with its one HTTP status. */
const STATUS_OF_CODE = {
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

type ErrorCode = keyof typeof STATUS_OF_CODE

interface AppErrorOptions {
  readonly issues?: readonly Issue[]
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An error that the client is told about: what the core throws, and `onError` turns into an answer. */
export class AppError extends Error {
  override readonly name: string = 'AppError'
  readonly code: ErrorCode
  readonly issues: readonly Issue[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, { issues, headers = {}, cause }: AppErrorOptions = {}) {
    super(message, { cause })
    this.code = code
    this.issues = issues
    this.headers = headers
  }

  get status(): (typeof STATUS_OF_CODE)[ErrorCode] {
    return STATUS_OF_CODE[this.code]
  }
}

/** An issue that no schema can find, at a path of the body such as `['settings', 'password']`. */
export function issueAt(path: readonly PropertyKey[], message: string): Issue {
  return { code: 'custom', path, message }
}

export const invalidBody = (...issues: readonly Issue[]) =>
  new AppError('bad_request', 'Invalid request body', { issues })

/** A password, or the proof of one, that is missing or wrong: another try may be right. */
export class PasswordError extends AppError {
  constructor(message: string) {
    super('bad_request', message)
  }
}

export const invalidPassword = () => new PasswordError('Invalid password')

/** For an envelope that a client made of something else than text. */
export const contentNotText = () => new AppError('bad_request', 'The decrypted content is not UTF-8')

export const invalidQuery = (...issues: readonly Issue[]) =>
  new AppError('bad_request', 'Invalid query', { issues })

export const invalidCursor = () => new AppError('bad_request', 'The cursor is not one that a page gave')

export const unreadableForm = () => new AppError('bad_request', 'The form can not be read')

export const passwordNeeded = () => new PasswordError('This document needs its password')

export const encryptedContentNotEditable = (issue: Issue) =>
  new AppError('bad_request', 'You can not edit an encrypted document', { issues: [issue] })

export const unauthorized = () => new AppError('unauthorized', 'Unauthorized')

/** For a page that is somebody's own: the site leads to the sign-in, and back. */
export class SignInNeeded extends AppError {
  constructor() {
    super('unauthorized', 'Sign in first')
  }
}

export const signInNeeded = () => new SignInNeeded()

/** For a form that was opened by somebody else than who is signed in by now. */
export const accountChanged = () =>
  new AppError('conflict', 'Since you opened this page, you have signed in as somebody else')

export const accountNotConfirmed = () => new AppError('bad_auth', 'Your account is not confirmed')

export const foreignForm = () => new AppError('bad_auth', 'This form was not sent from this site')

export const rateLimited = (seconds: number, headers: Readonly<Record<string, string>> = {}) =>
  new AppError('rate_limited', `Rate limit exceeded, retry in ${seconds} seconds`, {
    headers: { 'Retry-After': String(seconds), ...headers },
  })

export const mayNotEdit = () => new AppError('bad_auth', 'You are not allowed to edit this document')

export const mayNotChangeEditors = () => new AppError('bad_auth', 'Only the creator can change the editors')

export const mayNotLeave = () => new AppError('bad_auth', 'You are not an editor of this document')

export const notTheOwner = () => new AppError('bad_auth', 'You do not own this document')

export const documentNotFound = () => new AppError('not_found', 'Document not found')

export const userNotFound = () => new AppError('not_found', 'User not found')

export const routeNotFound = () => new AppError('not_found', 'Route not found')

export const methodNotAllowed = (allow: string) =>
  new AppError('method_not_allowed', 'Method not allowed', { headers: { Allow: allow } })

export const contentTooLarge = () => new AppError('content_too_large', 'Content is too large')

export const unsupportedMediaType = () => new AppError('unsupported_media_type', 'Unsupported media type')

/** The client's part of every server fault; the cause goes to the log alone. */
const INTERNAL_ERROR_MESSAGE = 'Internal server error'

/** A fault that passes: 503, with the seconds after which another try makes sense. */
export const unavailable = (cause: unknown, retryAfterSeconds = 1) =>
  new AppError('unavailable', INTERNAL_ERROR_MESSAGE, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause,
  })

/** What `onError` answers for anything that was thrown: an AppError as it is, all else a 500. */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : new AppError('internal_error', INTERNAL_ERROR_MESSAGE, { cause: error })
}
