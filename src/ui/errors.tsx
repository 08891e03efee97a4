import type { ErrorHandler } from 'hono'
import type { Child } from 'hono/jsx'
import type { AppContext, AppEnv } from '../env.ts'
import { type AppError, invalidBody, issueAt, ReadOnlyError, SignInRequired, toAppError } from '../errors.ts'
import { answerErrorText, errorOptions, logServerFault, wantsText } from '../http/answers.ts'
import { expiredSessionCookie } from '../http/cookies.ts'
import { isFromThisSite } from '../http/identity.ts'
import type { ErrorCode } from '../shared/error-codes.ts'
import { SETTINGS } from '../shared/settings.ts'
import { Notice } from './layout.tsx'
import { page, returnPath, seeOther } from './page.tsx'

export const invalidForm = (problems: Readonly<Record<string, string>>): AppError =>
  invalidBody(...Object.entries(problems).map(([field, message]) => issueAt([field], message)))

export const isInvalidForm = (error: AppError): boolean => error.issues !== undefined

/** The API's messages are ASCII without a full stop. */
const toSentence = (message: string): string => `${message.replaceAll("'", '’')}.`

export const formatError = ({ message, pageMessage = message }: AppError): string => toSentence(pageMessage)

/** The problem with each field. `form` is the one that concerns none of them. */
export type Problems = Readonly<Partial<Record<string, string>>>

export function getProblems(error: AppError): Problems {
  if (!error.issues) return { form: formatError(error) }
  const format = (message: string) => (/[.!?]$/.test(message) ? message : toSentence(message))
  return Object.fromEntries(error.issues.map(({ path: [field], message }) => [field, format(message)]))
}

/** A link that opens a new tab: without scripts, a form keeps its text only as long as its tab shows it. */
export const SignInBeside = () => (
  <>
    <a href="/sign-in" target="_blank" rel="noopener">
      Sign in
    </a>{' '}
    (opens a new tab)
  </>
)

export function formatProblem(error: AppError, usernames: readonly string[] = []): Child {
  if (error instanceof SignInRequired) {
    return (
      <>
        You’ve been signed out. <SignInBeside />, then send this form again.
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

interface ProblemProps {
  readonly id?: string
  /** Is true if somebody else saved first, so that nothing is wrong with what was typed. */
  readonly isConflict?: boolean
  readonly children: Child
}

export const Problem = ({ id = 'problem', isConflict = false, children }: ProblemProps) => (
  <p class={isConflict ? 'banner' : 'error'} role="alert" id={id}>
    {children}
  </p>
)

const TITLES: Partial<Record<ErrorCode, string>> = {
  bad_auth: 'You can’t do that',
  conflict: 'Something has changed',
  content_too_large: 'Too large',
  rate_limited: 'Too many requests',
}

const ErrorPage = ({ error, documentId }: { error: AppError; documentId: string | null }) => {
  switch (error.status) {
    case 404:
      return (
        <Notice icon="search" title="Not found">
          <p>
            There’s no document or page at this address. If there was a document here, it has expired or was
            deleted.
          </p>
          <p>
            <a href="/" class="button">
              Create a document
            </a>
          </p>
        </Notice>
      )
    case 500:
    case 503:
      if (error instanceof ReadOnlyError) {
        return (
          <Notice icon="warning" title="Read-only for maintenance">
            <p>
              Nothing was changed. If you sent a form, go back to find what you typed, and send it again
              later.
            </p>
          </Notice>
        )
      }
      return (
        <Notice icon="warning" title="Something went wrong">
          <p>This is our fault. Try again in a moment.</p>
        </Notice>
      )
    default: {
      // The first of two sentences says what's wrong, the other why, or what to do.
      const [problem = '', ...advice] = formatError(error).split('. ')
      const title = TITLES[error.code] ?? 'That didn’t work'
      return (
        <Notice icon="warning" title={advice.length > 0 ? problem : title}>
          <p>{advice.length > 0 ? advice.join('. ') : problem}</p>
          {error.code === 'rate_limited' ? (
            <p>
              If you sent a form, nothing was saved. Go back to find what you typed, and send it again later.
            </p>
          ) : (
            <p>
              <a href={documentId === null ? '/' : `/${documentId}`} class="button">
                {documentId === null ? 'Go to the home page' : 'Open the document'}
              </a>
            </p>
          )}
        </Notice>
      )
    }
  }
}

/** Leads back to this page, or to the page of the form. */
function signInPath(c: AppContext): string {
  const referer = c.req.header('Referer') ?? ''
  const formPage = URL.canParse(referer) ? referer : c.var.siteUrl
  const { pathname, search, searchParams } = new URL(c.req.method === 'POST' ? formPage : c.req.url)
  // The token of a management link must not get into another address, or into the email with the sign-in link.
  const back = searchParams.has('token') ? pathname.replace(/\/manage$/, '') : pathname + search
  return `/sign-in?${new URLSearchParams({ return: returnPath(back) })}`
}

export const answerErrorPage: ErrorHandler<AppEnv> = (thrown, c) => {
  if (thrown instanceof SignInRequired) {
    // Pages show the navigation of a signed-in user as long as there is a cookie, even an expired one.
    return seeOther(c, signInPath(c), c.var.hasSessionCookie ? [expiredSessionCookie(c.var.siteUrl)] : [])
  }
  if (isFromThisSite(c) === null && wantsText(c)) return answerErrorText(thrown, c)
  const error = toAppError(thrown)
  logServerFault(c, error)
  const id = c.req.param('id')
  const documentId = id !== undefined && c.req.path.startsWith(`/${id}/`) ? id : null
  return page(c, <ErrorPage error={error} documentId={documentId} />, errorOptions(error))
}
