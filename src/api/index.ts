import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { rejectOtherMethods } from '../http/answers/allowed-methods.ts'
import { BOOKMARK_HEADER } from '../http/bookmark.ts'
import { answerPreflight } from '../http/cross-origin.ts'
import { DOCUMENT_TOKEN_HEADER } from '../http/identity/document-token.ts'
import { documents } from './documents.ts'
import { publicDocuments } from './public.ts'
import { errorResponse, jsonResponse, success } from './responses.ts'
import { revisions } from './revisions.ts'
import { users } from './users.ts'

/** Lists the requests that scripts of any origin may send. */
const preflight = answerPreflight({
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  headers: [
    'Authorization',
    'Content-Type',
    'If-Match',
    'If-None-Match',
    'Idempotency-Key',
    BOOKMARK_HEADER,
    'X-Document-Password',
    DOCUMENT_TOKEN_HEADER,
  ],
})

const routes = new Hono<AppEnv>()
  .onError(errorResponse)
  .use(preflight)
  .get('/', (c) =>
    jsonResponse(
      c,
      success({
        message: 'Welcome to Regent',
        version: '1',
        documentation: `${c.var.siteUrl}/docs`,
        openapi: `${c.var.siteUrl}/v1/openapi.json`,
      }),
    ),
  )
  .route('/document', documents)
  .route('/documents', documents)
  .route('/document', revisions)
  .route('/documents', revisions)
  .route('/public', publicDocuments)
  .route('/users', users)
  .route('/user', users)

/** Everything under `/v1`, which no route of the site may answer. */
export const api = rejectOtherMethods(routes).all('*', () => {
  throw routeNotFound()
})
