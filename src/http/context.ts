import { createMiddleware } from 'hono/factory'
import { ContentStore } from '../documents/content/content-store.ts'
import { viewCounter } from '../documents/view-counter.ts'
import { type AppEnv, getConfig } from '../env.ts'
import { publishGist } from '../gists/publish-gist.ts'
import { Database } from '../platform/database.ts'
import { logError } from '../platform/logging.ts'
import { getGistPublisher } from './gist-publisher.ts'
import { getOrigin } from './origin-check.ts'

/** Sets the variables that every handler uses. Touches no storage. */
export const context = createMiddleware<AppEnv>(async (c, next) => {
  const requestId = crypto.randomUUID()
  c.set('requestId', requestId)
  const config = getConfig(c.env)
  c.set('config', config)
  c.set('now', Date.now())
  c.set('siteUrl', config.siteUrl ?? getOrigin(c.req.url))
  c.set('store', {
    db: new Database(c.env.DB, config.storageTimeoutMs),
    contents: new ContentStore(c.env.CONTENTS, config.storageTimeoutMs),
    views: viewCounter,
    defer: (work) =>
      c.executionCtx.waitUntil(work().catch((error) => logError('deferred work failed', requestId, error))),
    scheduleGistSync: (documentId) =>
      c.get('store').defer(() => publishGist(getGistPublisher(c), documentId)),
  })
  await next()
})
