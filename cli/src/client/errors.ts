import { type ErrorCode, type Issue, STATUS_BY_CODE } from '../../../src/shared/error-codes.ts'

/** The codes of errors: those of the API, and `network`, `timeout` or `invalid_response` if the API didn't answer. */
export type RegentErrorCode = ErrorCode | 'network' | 'timeout' | 'invalid_response'

interface RegentErrorOptions {
  readonly status?: number | null
  readonly requestId?: string | null
  readonly retryAfter?: number | null
  readonly hint?: string | null
  readonly issues?: readonly Issue[]
  readonly etag?: string | null
  readonly cause?: unknown
}

/** Thrown by every method of the client whose request fails. */
export class RegentError extends Error {
  override readonly name = 'RegentError'
  readonly code: RegentErrorCode
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null
  /** The id under which the server logged the request; null if there was no answer. */
  readonly requestId: string | null
  /** Seconds after which to try again; null if the server named none. */
  readonly retryAfter: number | null
  /** One line that says what is wrong with the request, and where, or what to do; null if the server gave none. */
  readonly hint: string | null
  /** The problems that the server found in the request. Often there are none. */
  readonly issues: readonly Issue[]
  /** The current version of the document, if the error is `precondition_failed`. */
  readonly etag: string | null

  constructor(code: RegentErrorCode, message: string, options: RegentErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = options.status ?? null
    this.requestId = options.requestId ?? null
    this.retryAfter = options.retryAfter ?? null
    this.hint = options.hint ?? null
    this.issues = options.issues ?? []
    this.etag = options.etag ?? null
  }
}

const CODES = Object.entries(STATUS_BY_CODE) as readonly (readonly [ErrorCode, number])[]

const isCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(STATUS_BY_CODE, code)

/** Returns null if the API never answers with it. */
const findCode = (status: number): ErrorCode | null =>
  CODES.find(([, codeStatus]) => codeStatus === status)?.[0] ?? null

/** A number or a date (RFC 9110 §10.2.3). Null without a valid one. */
export function parseRetryAfter(header: string | null, now = Date.now()): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1_000))
}

/** @param body the parsed body; undefined if it's empty or isn't JSON. */
export function toRegentError(response: Response, body: unknown): RegentError {
  const { headers, status } = response
  const { error } = (body ?? {}) as {
    error?: { code?: unknown; message?: unknown; hint?: unknown; errors?: unknown }
  }
  const code = isCode(error?.code) ? error.code : findCode(status)
  const details = {
    status,
    requestId: headers.get('X-Request-Id'),
    retryAfter: parseRetryAfter(headers.get('Retry-After')),
    etag: headers.get('ETag'),
    hint: typeof error?.hint === 'string' ? error.hint : null,
    issues: Array.isArray(error?.errors) ? (error.errors as Issue[]) : [],
  }
  if (code === null) return new RegentError('invalid_response', `The server answered HTTP ${status}`, details)
  return new RegentError(code, typeof error?.message === 'string' ? error.message : `HTTP ${status}`, details)
}
