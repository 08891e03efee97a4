import type { Child } from 'hono/jsx'
import { type AppError, invalidBody, issueAt, SignInRequired } from '../../errors.ts'
import { SETTINGS } from '../../shared/settings.ts'

/** Returns the error of a form with a message for each of these fields. */
export const invalidForm = (problems: Readonly<Record<string, string>>): AppError =>
  invalidBody(...Object.entries(problems).map(([field, message]) => issueAt([field], message)))

/** Returns true for an error in the user's input, and false for an error while saving it. */
export const isInvalidForm = (error: AppError): boolean => error.issues !== undefined

/** Returns the message for a field; undefined if nothing is wrong with it. */
export const findFieldProblem = (error: AppError, field: string): string | undefined =>
  error.issues?.find(({ path }) => path[0] === field)?.message

/** Returns a message as a sentence of a page. The API's messages are ASCII without a full stop. */
const toSentence = (message: string): string => `${message.replaceAll("'", '’')}.`

/** Returns the sentence that tells the user about an error. */
export const formatError = ({ message, pageMessage = message }: AppError): string => toSentence(pageMessage)

/**
 * Returns the message to show above a document's form.
 *
 * @param usernames the editors that were typed, in order.
 */
export function formatProblem(error: AppError, usernames: readonly string[] = []): Child {
  if (error instanceof SignInRequired) {
    return (
      <>
        You’ve been signed out.{' '}
        <a href="/sign-in" target="_blank" rel="noopener">
          Sign in
        </a>{' '}
        (opens a new tab), then send this form again.
      </>
    )
  }
  const [issue] = error.issues ?? []
  if (!issue) {
    const saysWhatToDo = error.pageMessage !== undefined || error.code === 'bad_auth'
    return saysWhatToDo ? formatError(error) : `${formatError(error)} Try again.`
  }
  const [part, name, index] = issue.path
  if (part === 'content') return 'Write something first.'
  if (name === 'editors') return `${issue.message}: ${usernames[Number(index)] ?? ''}.`
  if (name === 'claim_hash') {
    return `To turn on “${SETTINGS.instant_delete.label}”, decrypt the document with its password first.`
  }
  return toSentence(issue.message)
}

/** Shows and announces what went wrong. Fields refer to it by `aria-describedby`. */
export const Problem = ({ children }: { children: Child }) => (
  <p class="error" role="alert" id="problem">
    {children}
  </p>
)
