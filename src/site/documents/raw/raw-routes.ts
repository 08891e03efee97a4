import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../../../env.ts'
import { rejectOtherMethods } from '../../../http/answers/allowed-methods.ts'
import { BOOKMARK_HEADER } from '../../../http/bookmark.ts'
import { answerPreflight, CORS_HEADERS } from '../../../http/cross-origin.ts'
import { DOCUMENT_TOKEN_HEADER } from '../../../http/identity/document-token.ts'
import { raw } from './raw.tsx'

/** Lets scripts of any origin read every response, including errors. */
const allowAnyOrigin = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(CORS_HEADERS)) c.res.headers.set(name, value)
})

/** The text of documents, for programs and for scripts of any origin. Browsers send no cookies from other origins. */
export const rawRoutes = new Hono<AppEnv>()
  .use(
    answerPreflight({
      methods: ['GET', 'HEAD'],
      headers: ['If-None-Match', BOOKMARK_HEADER, 'X-Document-Password', DOCUMENT_TOKEN_HEADER],
    }),
  )
  .use(allowAnyOrigin)
  .route('/', rejectOtherMethods(raw))
