import { type ErrorHandler, Hono } from 'hono'
import { api } from './api/index.ts'
import { errorResponse } from './api/responses.ts'
import type { AppEnv } from './env.ts'
import { routeNotFound } from './errors.ts'
import { context } from './http/context.ts'
import { identify } from './http/identify.ts'
import { site } from './site/index.ts'
import { answerErrorPage, answerErrorText } from './site/layout/errors.tsx'

/** Answers errors outside the API's and the site's own handlers in the format of the requested path. */
const answerAnyError: ErrorHandler<AppEnv> = (error, c) => {
  const [, part] = c.req.path.split('/', 2)
  if (part === 'v1') return errorResponse(error, c)
  return part === 'r' ? answerErrorText(error, c) : answerErrorPage(error, c)
}

export const app = new Hono<AppEnv>({ strict: false })
  .use(context)
  .use(identify)
  .route('/v1', api)
  .route('/', site)
  .notFound((c) => answerAnyError(routeNotFound(), c))
  // For errors before routing, such as an invalid variable.
  .onError(answerAnyError)
