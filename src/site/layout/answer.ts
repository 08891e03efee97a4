import type { AppContext } from '../../env.ts'
import { type AnswerOptions, answer } from '../../http/answers/answer.ts'

export {
  type AnswerOptions,
  answer,
  answerText,
  type Body,
  contentSecurityPolicy,
} from '../../http/answers/answer.ts'

/** Returns the options with more headers. */
export const withHeaders = <Options extends AnswerOptions>(
  options: Options,
  headers: Readonly<Record<string, string>>,
) => ({ ...options, headers: { ...options.headers, ...headers } })

/**
 * Redirects to another page, which the browser requests with GET.
 *
 * @param cookies complete `Set-Cookie` values.
 */
export function seeOther(c: AppContext, path: string, cookies: readonly string[] = []): Response {
  const response = answer(c, null, { status: 303, headers: { Location: path, 'Cache-Control': 'no-store' } })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}
