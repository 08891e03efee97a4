import { type ErrorHandler, Hono, type MiddlewareHandler } from 'hono'
import { api } from './api/index.ts'
import { errorResponse } from './api/responses.ts'
import { answerEmbedError, EMBED_PATH } from './embed/embed.tsx'
import type { AppEnv } from './env.ts'
import { routeNotFound } from './errors.ts'
import { answerErrorText, CORS_HEADERS, wantsText } from './http/answers.ts'
import { identify } from './http/identity.ts'
import { limitRequests } from './http/limits.ts'
import { context } from './http/request.ts'
import { answerHasteError, documentTexts, isHasteCreate, plainText } from './plain-text/index.ts'
import { answerJsonError, wantsJson } from './site/home/home.tsx'
import { documentSite, site } from './site/index.ts'
import { answerErrorPage } from './site/layout/errors.tsx'

/** Comes first, so that it answers even if everything after it is broken. */
const health = new Hono<AppEnv>().get('/health', async (c) => {
  const { answerHealth } = await import('./health/health.lazy.ts')
  return answerHealth(c)
})

function allowAnyOrigin(response: Response): Response {
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.headers.set(name, value)
  return response
}

/** Answers errors from outside the front ends' handlers, such as an invalid variable. */
const answerAnyError: ErrorHandler<AppEnv> = (error, c) => {
  const [, part] = c.req.path.split('/', 2)
  if (part === 'v1') return errorResponse(error, c)
  if (part === 'r' || part === 'raw') return allowAnyOrigin(answerErrorText(error, c))
  if (isHasteCreate(c)) return answerHasteError(error, c)
  if (EMBED_PATH.test(c.req.path)) return answerEmbedError(error, c)
  if (wantsJson(c)) return answerJsonError(error, c)
  return wantsText(c) ? answerErrorText(error, c) : answerErrorPage(error, c)
}

/**
 * Refuses a path that is the pattern of a route, such as `/:id/edit`: Hono would find that route twice, and the second
 * run of its handlers would find the body read.
 */
const refusePatterns: MiddlewareHandler<AppEnv> = (c, next) => {
  if (/\/:[a-z]+(?:\/|$)/.test(c.req.path)) throw routeNotFound()
  return next()
}

export const app = new Hono<AppEnv>({ strict: false })
  .route('/', health)
  .use(context)
  .use(refusePatterns)
  .use(identify)
  .use(limitRequests)
  .route('/v1', api)
  .route('/', plainText)
  .route('/', site)
  .route('/', documentTexts)
  .route('/', documentSite)
  .notFound((c) => answerAnyError(routeNotFound(), c))
  .onError(answerAnyError)
