import { Hono } from 'hono'
import { api } from './api/index.ts'
import { answerError } from './api/respond.ts'
import type { AppEnv } from './env.ts'
import { routeNotFound } from './errors.ts'
import { context } from './middleware/context.ts'
import { identify } from './middleware/identify.ts'
import { site } from './site/index.ts'
import { answerErrorPage } from './site/respond.tsx'

export const app = new Hono<AppEnv>({ strict: false })
  .use(context)
  .use(identify)
  .route('/v1', api)
  .route('/', site)
  .notFound((c) => answerErrorPage(routeNotFound(), c))
  // What fails before a route is found: a var that makes no sense.
  .onError((error, c) => (c.req.path.startsWith('/v1') ? answerError(error, c) : answerErrorPage(error, c)))
