import type { AppContext } from '../../env.ts'
import { type AppError, toAppError } from '../../errors.ts'
import { logError } from '../../platform/logging.ts'
import { answerText } from './answer.ts'

/** Returns the status and the headers of an error response. */
export const errorOptions = (error: AppError) => ({
  status: error.status,
  headers: { ...error.headers, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
})

/** Logs a server fault with its cause, as part of the request's line. Other errors are the client's mistakes. */
export function logServerFault(c: AppContext, error: AppError): void {
  if (error.status < 500) return
  // Without a valid configuration, the request has no line.
  if (c.var.log) c.var.log.fault = error
  else logError('request failed', c.var.requestId, error)
}

/** Returns a one-line message, with the path of the invalid value if there is one. */
const formatErrorLine = ({ issues, message }: AppError): string =>
  issues?.map(({ path, message: problem }) => `${String(path.at(-1))}: ${problem}`).join('; ') || message

/** Responds to any error with a line of text. */
export function answerErrorText(thrown: unknown, c: AppContext): Response {
  const error = toAppError(thrown)
  logServerFault(c, error)
  return answerText(c, `${formatErrorLine(error)}\n`, errorOptions(error))
}
