import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { AppEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { rejectOtherMethods } from '../http/allowed-methods.ts'
import { DOCUMENT_TOKEN_HEADER } from '../http/document-token.ts'
import { documents } from './documents.ts'
import { errorResponse, jsonResponse, success } from './responses.ts'
import { users } from './users.ts'

/** Answers preflight requests: which requests scripts of any origin may send. Every response says what they may read. */
const preflight = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'If-Match',
    'If-None-Match',
    'Idempotency-Key',
    'X-Document-Password',
    DOCUMENT_TOKEN_HEADER,
  ],
  maxAge: 86_400,
})

const routes = new Hono<AppEnv>()
  .onError(errorResponse)
  // An OPTIONS request that isn't a preflight is a method like any other.
  .use((c, next) => {
    if (c.req.method !== 'OPTIONS' || !c.req.header('Access-Control-Request-Method')) return next()
    c.header('X-Request-Id', c.var.requestId)
    return preflight(c, next)
  })
  .get('/', (c) =>
    jsonResponse(
      c,
      success({ message: 'Welcome to Regent', version: '1', documentation: `${c.var.siteUrl}/api` }),
    ),
  )
  .route('/document', documents)
  .route('/documents', documents)
  .route('/users', users)
  .route('/user', users)

/** Everything under `/v1`, which no route of the site may answer. */
export const api = rejectOtherMethods(routes).all('*', () => {
  throw routeNotFound()
})
