import { RegentError } from './client/errors.ts'
import { PasswordError } from './client/read-text.ts'
import { CliError, type Ending, Interrupted } from './exit-codes.ts'
import type { Session } from './session.ts'

const ENDINGS: Readonly<Record<RegentError['code'], Ending>> = {
  bad_request: 'refused',
  unauthorized: 'refused',
  bad_auth: 'refused',
  not_found: 'notFound',
  method_not_allowed: 'server',
  conflict: 'conflict',
  precondition_failed: 'conflict',
  content_too_large: 'refused',
  unsupported_media_type: 'refused',
  rate_limited: 'rateLimited',
  internal_error: 'server',
  unavailable: 'server',
  network: 'network',
  timeout: 'network',
  invalid_response: 'server',
}

const describeIssues = ({ issues }: RegentError): string =>
  issues.map(({ path, message }) => [path.at(-1), message].filter(Boolean).join(': ')).join('; ')

function describe(error: RegentError): string {
  const { code, message, requestId, retryAfter } = error
  switch (code) {
    case 'not_found':
      return 'There’s no such document. It may have expired or been deleted'
    case 'content_too_large':
      return 'The text is too large for this server'
    case 'rate_limited':
      return `Too many requests. Try again in ${retryAfter ?? 60} seconds`
    case 'internal_error':
    case 'unavailable':
      return `The server has a problem. Try again in a moment${requestId ? ` (request ${requestId})` : ''}`
    default:
      return describeIssues(error) || message
  }
}

/** Says more about a refused create or edit than the API can, which doesn't know this program. */
export function describeRefusal(error: RegentError, { key, server }: Session): RegentError | CliError {
  if (error.code !== 'unauthorized') return error
  if (key !== null) {
    return new CliError('refused', `${server} doesn’t accept your API key. Sign in with "regent login"`)
  }
  // The API says no more than this. The answer to a shared text says why it needs a key.
  const reason = error.message === 'Unauthorized' ? `${server} needs an account for this` : error.message
  return new CliError('refused', `${reason}. For that, sign in with "regent login"`)
}

/** Null for a bug. */
export function toCliError(error: unknown): CliError | null {
  if (error instanceof CliError) return error
  if (error instanceof Interrupted) return new CliError('interrupted', 'Interrupted')
  if (error instanceof PasswordError) return new CliError('refused', error.message)
  if (error instanceof RegentError) return new CliError(ENDINGS[error.code], describe(error))
  return null
}
