import type { ErrorHandler } from 'hono'
import type { AppContext, AppEnv } from '../../env.ts'
import { type AppError, SignInRequired, toAppError } from '../../errors.ts'
import { errorOptions, logServerFault } from '../../http/answers/error-text.ts'
import { expiredSessionCookie } from '../../http/identity/session-cookie.ts'
import { seeOther } from './answer.ts'
import { Notice } from './layout.tsx'
import { page } from './page.tsx'
import { formatError } from './problem.tsx'
import { returnPath } from './return-path.ts'

const ErrorPage = ({ error, signedIn }: { error: AppError; signedIn: boolean }) => {
  switch (error.status) {
    case 404:
      return (
        <Notice icon="search" title="Not found" signedIn={signedIn}>
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
    case 429:
      return (
        <Notice icon="warning" title="Too many requests" signedIn={signedIn}>
          <p>{formatError(error)}</p>
          <p>
            If you sent a form, nothing was saved. Go back to find what you typed, and send it again later.
          </p>
        </Notice>
      )
    case 500:
    case 503:
      return (
        <Notice icon="warning" title="Something went wrong" signedIn={signedIn}>
          <p>This is our fault. Try again in a moment.</p>
        </Notice>
      )
    default:
      return (
        <Notice icon="warning" title="That didn’t work" signedIn={signedIn}>
          <p>{formatError(error)}</p>
        </Notice>
      )
  }
}

/** Returns the path of the sign-in page, which leads back to this page or to the page of the form. */
function signInPath(c: AppContext): string {
  const referer = c.req.header('Referer') ?? ''
  const formPage = URL.canParse(referer) ? referer : c.var.siteUrl
  const { pathname, search } = new URL(c.req.method === 'POST' ? formPage : c.req.url)
  return `/sign-in?${new URLSearchParams({ return: returnPath(pathname + search) })}`
}

/** Answers any error with a page. */
export const answerErrorPage: ErrorHandler<AppEnv> = (thrown, c) => {
  if (thrown instanceof SignInRequired) {
    // Pages show the navigation of a signed-in user as long as there is a cookie, even an expired one.
    return seeOther(c, signInPath(c), c.var.hasSessionCookie ? [expiredSessionCookie(c.var.siteUrl)] : [])
  }
  const error = toAppError(thrown)
  logServerFault(c, error)
  // An error may come before the middleware that sets this.
  const signedIn = c.var.hasSessionCookie ?? false
  return page(c, <ErrorPage error={error} signedIn={signedIn} />, errorOptions(error))
}
