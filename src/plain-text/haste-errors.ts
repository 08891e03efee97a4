import type { AppContext } from '../env.ts'
import { toAppError } from '../errors.ts'
import { answer } from '../http/answers/answer.ts'
import { errorOptions, logServerFault } from '../http/answers/error-text.ts'
import { isFromThisSite } from '../http/origin-check.ts'

/** Returns true if a program creates a document as clients of haste-server do. */
export const isHasteCreate = (c: AppContext): boolean =>
  c.req.method === 'POST' && /^\/documents\/?$/.test(c.req.path) && isFromThisSite(c) === null

/** Responds to any error as haste-server does: with JSON. */
export function answerHasteError(thrown: unknown, c: AppContext): Response {
  const error = toAppError(thrown)
  logServerFault(c, error)
  const { status, headers } = errorOptions(error)
  return answer(c, `${JSON.stringify({ message: error.message })}\n`, {
    status,
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
}
