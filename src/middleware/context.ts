import { createMiddleware } from 'hono/factory'
import { Contents } from '../documents/contents.ts'
import { viewCounter } from '../documents/views.ts'
import { type AppEnv, configOf } from '../env.ts'
import { logFault } from '../faults.ts'
import { publishGist } from '../gists/publishing.ts'
import { Database } from '../storage.ts'
import { publisherOf } from './gists.ts'
import { originOf } from './origin.ts'

/** What every handler finds in its context. Nothing here touches storage. */
export const context = createMiddleware<AppEnv>(async (c, next) => {
  const requestId = crypto.randomUUID()
  c.set('requestId', requestId)
  const config = configOf(c.env)
  c.set('config', config)
  c.set('now', Date.now())
  c.set('siteUrl', config.siteUrl ?? originOf(c.req.url))
  c.set('store', {
    db: new Database(c.env.DB, config.storageTimeoutMs),
    contents: new Contents(c.env.CONTENTS, config.storageTimeoutMs),
    views: viewCounter,
    defer: (work) =>
      c.executionCtx.waitUntil(work().catch((error) => logFault('deferred work failed', requestId, error))),
    gistDue: (documentId) => c.get('store').defer(() => publishGist(publisherOf(c), documentId)),
  })
  await next()
})
