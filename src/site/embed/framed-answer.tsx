import type { JSX } from 'hono/jsx/jsx-runtime'
import type { AppContext } from '../../env.ts'
import { type AppError, toAppError } from '../../errors.ts'
import { errorOptions, logServerFault } from '../../http/answers/error-text.ts'
import { embedSecurityPolicy } from '../../platform/security-headers.ts'
import type { AnswerOptions } from '../layout/answer.ts'
import { page } from '../layout/page.tsx'
import { formatError } from '../layout/problem.tsx'
import { parseEmbedTheme } from './embed-code.ts'
import { EmbedNotice } from './embed-page.tsx'

/** Lets pages of other sites show a response in a frame. No other response of this site may be framed. */
export function allowFraming(response: Response): Response {
  const { headers } = response
  headers.delete('X-Frame-Options')
  headers.set('Content-Security-Policy', embedSecurityPolicy)
  // Pages that isolate themselves from other origins show only frames that agree to that.
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp')
  headers.set('X-Robots-Tag', 'noindex')
  return response
}

/** Answers a page that other sites may show in a frame. */
export const answerFramed = async (
  c: AppContext,
  content: JSX.Element,
  options: AnswerOptions,
): Promise<Response> => allowFraming(await page(c, content, options))

function describeError(error: AppError): string {
  switch (error.status) {
    case 404:
      return 'This document isn’t available.'
    case 500:
    case 503:
      return 'Something went wrong. Reload this page in a moment.'
    default:
      return formatError(error)
  }
}

/**
 * Answers an error in a frame. It says the same about documents that are missing, encrypted or burn after reading, so
 * that a frame tells nobody which of them exist.
 */
export function answerFramedError(thrown: unknown, c: AppContext): Promise<Response> {
  const error = toAppError(thrown)
  logServerFault(c, error)
  return answerFramed(
    c,
    <EmbedNotice
      theme={parseEmbedTheme(c.req.query('theme'))}
      siteUrl={c.var.siteUrl}
      message={describeError(error)}
    />,
    errorOptions(error),
  )
}
