import type { AppContext } from '../../env.ts'
import { type AppError, toAppError } from '../../errors.ts'
import { errorOptions, logServerFault } from '../../http/answers/error-text.ts'
import type { AnswerOptions } from './answer.ts'

interface Submission {
  /** Does what the form asks for. Throws an AppError for anything that is wrong with it. */
  readonly submit: () => Promise<Response>
  /** Returns true for errors that belong beside the form. By default every error does. */
  readonly handles?: (error: AppError) => boolean
  /** Shows the form again with what was typed and what is wrong, with the error's status and headers. */
  readonly showAgain: (error: AppError, options: Required<AnswerOptions>) => Response | Promise<Response>
}

/**
 * Answers a form. If `submit` throws, the user gets the form back with the problem, and loses nothing that they
 * typed. Errors that the form doesn't handle are thrown on, and answered by the error page.
 */
export async function submitForm(
  c: AppContext,
  { submit, handles = () => true, showAgain }: Submission,
): Promise<Response> {
  try {
    return await submit()
  } catch (thrown) {
    const error = toAppError(thrown)
    if (!handles(error)) throw error
    logServerFault(c, error)
    return showAgain(error, errorOptions(error))
  }
}
