import type { AppContext } from '../../env.ts'
import { type AppError, toAppError } from '../../errors.ts'
import { errorOptions, logServerFault } from '../../http/answers/error-text.ts'
import type { CreateAnswer } from '../../shared/create-answer.ts'
import { type AnswerOptions, answer } from '../layout/answer.ts'
import type { CreatedFromForm } from './create-from-form.ts'

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

/** Returns true if the page's script sent the form: it shows the outcome itself. */
export const wantsJson = (c: AppContext): boolean => c.req.header('Accept') === 'application/json'

/** Tells the script about the new document. */
export function answerCreated(
  c: AppContext,
  { document, password, token }: CreatedFromForm,
  cookies: readonly string[],
): Response {
  const { id, title, createdAt, expiresAt } = document
  const data: CreateAnswer = {
    id,
    url: `${c.var.siteUrl}/${id}`,
    title,
    createdAt,
    expiresAt,
    ...(password !== null && { password }),
    ...(token !== null && { token }),
  }
  const response = answer(c, JSON.stringify({ data }), { headers: JSON_HEADERS })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Answers the script with an error that the handler of the form didn't get to answer. */
export function answerJsonError(thrown: unknown, c: AppContext): Response {
  const error = toAppError(thrown)
  logServerFault(c, error)
  return answerCreateError(c, error, errorOptions(error))
}

/** Answers the script with an error in the shape of the API's errors. */
export function answerCreateError(
  c: AppContext,
  { code, message, pageMessage = message, issues }: AppError,
  { status, headers }: Required<AnswerOptions>,
): Response {
  const error = { code, message: pageMessage, ...(issues && { errors: issues }) }
  return answer(c, JSON.stringify({ error }), { status, headers: { ...headers, ...JSON_HEADERS } })
}
