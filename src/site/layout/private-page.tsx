import type { JSX } from 'hono/jsx/jsx-runtime'
import type { AppContext } from '../../env.ts'
import { type AnswerOptions, contentSecurityPolicy } from './answer.ts'
import { page } from './page.tsx'

/** Headers of pages that only their user may see: no cache keeps them. */
export const PRIVATE_HEADERS = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

/** Answers a page that only its user may see, with forms that may lead to GitHub. */
export const privatePage = (
  c: AppContext,
  content: JSX.Element,
  { status = 200, headers }: AnswerOptions = {},
): Promise<Response> =>
  page(c, content, {
    status,
    headers: {
      ...PRIVATE_HEADERS,
      'Content-Security-Policy': contentSecurityPolicy({
        formTargets: [new URL(c.var.config.github.url).origin],
      }),
      ...headers,
    },
  })
