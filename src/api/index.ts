import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { AppEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { rejectOtherMethods } from '../http/allowed-methods.ts'
import { documents } from './documents.ts'
import { answer, answerError, success } from './respond.ts'
import { users } from './users.ts'

/** What a browser may send from any origin. What it may see of an answer stands on every answer. */
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
  ],
  maxAge: 86_400,
})

const routes = new Hono<AppEnv>()
  .onError(answerError)
  // An OPTIONS that is no preflight is a method like any other.
  .use((c, next) => {
    if (c.req.method !== 'OPTIONS' || !c.req.header('Access-Control-Request-Method')) return next()
    c.header('X-Request-Id', c.get('requestId'))
    return preflight(c, next)
  })
  .get('/', (c) =>
    answer(
      c,
      success({ message: 'Welcome to Regent', version: '1', documentation: `${c.var.siteUrl}/#api` }),
    ),
  )
  .route('/document', documents)
  .route('/documents', documents)
  .route('/users', users)

/** Everything under `/v1`, which no route of the site may answer. */
export const api = rejectOtherMethods(routes).all('*', () => {
  throw routeNotFound()
})
