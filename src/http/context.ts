import { createMiddleware } from 'hono/factory'
import { ContentStore } from '../documents/content/content-store.ts'
import { viewCounter } from '../documents/view-counter.ts'
import { type AppEnv, getConfig } from '../env.ts'
import { publishGist } from '../gists/publish-gist.ts'
import { toStoredAddress } from '../platform/addresses.ts'
import { Database } from '../platform/database.ts'
import { logError } from '../platform/logging.ts'
import { RequestMemory } from '../platform/request-memory.ts'
import { addBookmark } from './bookmark.ts'
import { getGistPublisher } from './gist-publisher.ts'
import { getOrigin } from './origin-check.ts'
import { logRequest, startRequestLog } from './request-log.ts'

/** Sets the variables that every handler uses, and logs the request. Touches no storage. */
export const context = createMiddleware<AppEnv>(async (c, next) => {
  const requestId = crypto.randomUUID()
  c.set('requestId', requestId)
  const config = getConfig(c.env)
  c.set('config', config)
  c.set('now', Date.now())
  c.set('siteUrl', config.siteUrl ?? getOrigin(c.req.url))
  const log = startRequestLog()
  c.set('log', log)
  const memory = new RequestMemory()
  c.set('memory', memory)
  c.set('store', {
    db: new Database(c.env.DB, config.storageTimeoutMs, (durationMs) => {
      log.d1Calls += 1
      log.d1Ms += durationMs
    }),
    contents: new ContentStore(
      c.env.CONTENTS,
      config.storageTimeoutMs,
      (durationMs) => {
        log.kvCalls += 1
        log.kvMs += durationMs
      },
      memory,
    ),
    views: viewCounter,
    quotas: config.quotas,
    getClientAddress: () => toStoredAddress(c.req.header('CF-Connecting-IP')),
    defer: (work) =>
      c.executionCtx.waitUntil(work().catch((error) => logError('deferred work failed', requestId, error))),
    scheduleGistSync: (documentId) =>
      c.get('store').defer(() => publishGist(getGistPublisher(c), documentId)),
  })
  await next()
  addBookmark(c)
  memory.release()
  logRequest(c, log)
})
