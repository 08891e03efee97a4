import type { Context, ErrorHandler } from 'hono'
import { html } from 'hono/html'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../env.ts'
import { type AppError, toAppError } from '../errors.ts'
import { logFault } from '../faults.ts'
import { Notice } from './layout.tsx'

export const renderPage = (content: JSX.Element | Promise<JSX.Element>) => html`<!doctype html>${content}`

/** Answers a page. */
export const page = (
  c: Context<AppEnv>,
  content: JSX.Element | Promise<JSX.Element>,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string> = {},
) => c.html(renderPage(content), status, headers)

const ErrorPage = ({ error }: { error: AppError }) => {
  switch (error.status) {
    case 404:
      return (
        <Notice title="Not found">
          <p>
            There is nothing at this address. If there was a document, it has expired, was deleted, or was
            read by its one reader.
          </p>
        </Notice>
      )
    case 500:
    case 503:
      return (
        <Notice title="Something went wrong">
          <p>The fault is ours, and nothing was lost. Try again in a moment.</p>
        </Notice>
      )
    default:
      return (
        <Notice title="That did not work">
          <p>{error.message}.</p>
        </Notice>
      )
  }
}

/** The headers of every error that a person sees. */
export const errorHeaders = (error: AppError) => ({
  ...error.headers,
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
})

/** What to answer for whatever was thrown; a server fault goes to the log with its cause. */
export function toLoggedError(thrown: unknown, requestId: string): AppError {
  const error = toAppError(thrown)
  if (error.status >= 500) logFault('request failed', requestId, error)
  return error
}

/** Answers whatever was thrown as a page. */
export const answerErrorPage: ErrorHandler<AppEnv> = (thrown, c) => {
  const error = toLoggedError(thrown, c.var.requestId)
  return page(c, <ErrorPage error={error} />, error.status as ContentfulStatusCode, errorHeaders(error))
}

/** Answers whatever was thrown as a line of text. */
export const answerErrorText: ErrorHandler<AppEnv> = (thrown, c) => {
  const error = toLoggedError(thrown, c.var.requestId)
  return c.text(`${error.message}\n`, error.status as ContentfulStatusCode, errorHeaders(error))
}
