import { createMiddleware } from 'hono/factory'
import { type Config, getConfig } from '../config.ts'
import { ContentStore } from '../documents/content-store.ts'
import { Turns } from '../documents/turns.ts'
import { viewCounter } from '../documents/views.ts'
import type { AppEnv } from '../env.ts'
import { ReadOnlyError } from '../errors.ts'
import { toStoredAddress } from '../platform/addresses.ts'
import { Database } from '../platform/database.ts'
import { logError, type RequestLog } from '../platform/log.ts'
import { RequestMemory } from '../platform/request-memory.ts'
import { streamCounted } from '../platform/streaming.ts'
import { oncePer } from '../shared/once-per.ts'
import { addBookmark } from './bookmark.ts'
import { getRecentDocuments } from './find-document.ts'
import { syncGist } from './gists.ts'
import { getOrigin, isSafe } from './identity.ts'
import { getNetwork, readClientAddress } from './network.ts'
import { isReadingForm } from './paths.ts'
import { logRequest } from './request-log.ts'

/** How long to wait for the rest of a request's body, in milliseconds. */
const MAX_REST_MS = 10_000

/**
 * Reads what is left of a request's body, and holds the answer back until then. If an answer comes before the end of the body,
 * wrangler's proxy loses a request, and answers it with 500 (cloudflare/workers-sdk#15203). On Cloudflare, nothing is lost.
 */
async function readRest({ body }: Request): Promise<void> {
  if (body === null || body.locked) return
  await body.pipeTo(new WritableStream(), { signal: AbortSignal.timeout(MAX_REST_MS) }).catch(() => {})
}

const getTurns = oncePer((_: Env) => new Turns())

/** The operator's icon may be on another site. */
function allowIcon(response: Response, { icon }: Config['site']): void {
  if (!icon?.startsWith('http')) return
  const policy = response.headers.get('Content-Security-Policy')
  if (policy === null) return
  const allowing = policy.replace("img-src 'self'", `$& ${new URL(icon).origin}`)
  response.headers.set('Content-Security-Policy', allowing)
}

/** Sets what every handler uses, and completes its answer. Calls no storage. */
export const setUpRequest = createMiddleware<AppEnv>(async (c, next) => {
  const requestId = crypto.randomUUID()
  c.set('requestId', requestId)
  const config = getConfig(c.env)
  c.set('config', config)
  const { readOnly } = config
  c.set('now', Date.now())
  c.set('siteUrl', config.siteUrl ?? getOrigin(c.req.url))
  const log: RequestLog = {
    d1Calls: 0,
    d1Ms: 0,
    kvCalls: 0,
    kvMs: 0,
    fault: null,
    documentId: null,
    accountId: null,
  }
  c.set('log', log)
  const memory = new RequestMemory(() => getNetwork(c))
  c.set('memory', memory)
  c.set('store', {
    db: new Database(c.env.DB, config.storageTimeoutMs, {
      onCall: (durationMs) => {
        log.d1Calls += 1
        log.d1Ms += durationMs
      },
      readOnly,
    }),
    contents: new ContentStore(c.env.CONTENTS, config.storageTimeoutMs, {
      onCall: (durationMs) => {
        log.kvCalls += 1
        log.kvMs += durationMs
      },
      memory,
      readOnly,
    }),
    views: viewCounter,
    quotas: config.quotas,
    turns: getTurns(c.env),
    getClientAddress: () => toStoredAddress(readClientAddress(c)),
    defer: (work) =>
      c.executionCtx.waitUntil(
        work().catch((error) => {
          // Such as when a key was last used.
          if (!(error instanceof ReadOnlyError)) logError('deferred work failed', requestId, error)
        }),
      ),
    forget: (documentId) => getRecentDocuments(c.env).forget(documentId),
    scheduleGistSync: (documentId) =>
      c.get('store').defer(async () => {
        await syncGist(c, documentId)
      }),
  })
  await next()
  addBookmark(c)
  allowIcon(c.res, config.site)
  if (memory.isLarge && c.res.body) c.res = new Response(streamCounted(c.res.body, memory), c.res)
  memory.release()
  await logRequest(c, log)
  if (c.env.LOCAL_SERVER) await readRest(c.req.raw)
})

/**
 * Refuses early what would change something, before anything else looks at it. What gets past this, such as reading a
 * document that burns, is refused by the storage itself.
 */
export const refuseWritesIfReadOnly = createMiddleware<AppEnv>((c, next) => {
  if (c.get('config').readOnly && !isSafe(c.req.method) && !isReadingForm(c.req)) throw new ReadOnlyError()
  return next()
})
