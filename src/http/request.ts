import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { getConfig } from '../config.ts'
import { ContentStore } from '../documents/content-store.ts'
import { type Account, isDocumentId } from '../documents/document.ts'
import type { IdempotentRequest } from '../documents/keyed-create.ts'
import { ViewCounter, viewCounter } from '../documents/views.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { invalidIdempotencyKey, ReadOnlyError, routeNotFound } from '../errors.ts'
import type { Publisher } from '../gists/publish-gist.ts'
import { publishGist } from '../gists/publish-gist.ts'
import { findNetwork, isLocal, toStoredAddress } from '../platform/addresses.ts'
import { Database } from '../platform/database.ts'
import { logError, logFault, logLine, type RequestLog, toLogged, writeDataPoint } from '../platform/log.ts'
import { createLogHasher } from '../platform/log-hash.ts'
import { RequestMemory } from '../platform/request-memory.ts'
import { streamCounted } from '../platform/streaming.ts'
import { STATUS_BY_CODE } from '../shared/error-codes.ts'
import { addBookmark, getRecentDocuments } from './find-document.ts'
import { getOrigin, isSafe } from './identity.ts'
import { getNetwork, readClientAddress, toNetwork } from './limits.ts'

/** Names a network in logs: 256 addresses of IPv4, or a /48 of IPv6, which providers assign to a site. */
export const truncateAddress = (address: string): string =>
  findNetwork(address, { ipv4: 24n, ipv6: 48n }) ?? 'unknown'

const CODE_BY_STATUS: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(STATUS_BY_CODE).map(([code, status]) => [status, code]),
)

/** Locally, wrangler already prints one line. Request ids are random, so some of them are a share of the requests. */
const isLogged = ({ var: { config, requestId, siteUrl } }: AppContext): boolean =>
  config.logRequests === null
    ? !isLocal(siteUrl)
    : Number.parseInt(requestId.slice(0, 8), 16) < config.logRequests * 2 ** 32

/** Tells the log which document a request is about that doesn't name it in its path. */
export function logDocument(c: AppContext, id: string): void {
  if (c.var.log) c.var.log.documentId = id
}

/** Neither without `AUTH_SECRET`. */
async function hashSubjects(c: AppContext, { documentId, accountId }: RequestLog) {
  const { authSecret } = c.var.config
  if (authSecret === null) return {}
  // The address of a page may be `/ID.py`.
  const named = c.req.param('id') ?? c.req.param('address')?.split('.', 1)[0] ?? ''
  const id = documentId ?? (isDocumentId(named) ? named : null)
  if (id === null && accountId === null) return {}
  const hash = await createLogHasher(authSecret)
  return {
    ...(id !== null && { document: await hash('document', id) }),
    ...(accountId !== null && { account: await hash('account', accountId) }),
  }
}

/**
 * Counts no storage calls that the response didn't wait for. A fault of ours is always logged.
 *
 * The line never contains the URL, headers or bodies, because they contain passwords, keys and ids. Of ids, it has hashes.
 */
async function logRequest(c: AppContext, log: RequestLog): Promise<void> {
  const { now, requestId } = c.var
  const { d1Calls, d1Ms, kvCalls, kvMs, fault } = log
  const isWritten = fault !== null || isLogged(c)
  if (!isWritten && !c.env.ANALYTICS) return
  // The pattern, such as `/v1/document/:id`: the path can contain secrets. If only middleware ran, there is no route.
  const pattern = c.var.route ?? routePath(c)
  const route = pattern.endsWith('*') ? 'none' : pattern
  const isApi = route.startsWith('/v1') || c.req.path.startsWith('/v1/')
  const isText = c.res.headers.get('Content-Type')?.startsWith('text/plain')
  const frontEnd = isApi ? 'api' : isText ? 'text' : 'site'
  const { status } = c.res
  const outcome = status < 400 ? 'ok' : (CODE_BY_STATUS[status] ?? 'error')
  const durationMs = Date.now() - now
  const cost = { durationMs, d1Calls, d1Ms, kvCalls, kvMs }
  const { method } = c.req
  writeDataPoint(c.env.ANALYTICS, {
    kind: 'request',
    name: route,
    method,
    frontEnd,
    outcome,
    status,
    ...cost,
  })
  if (!isWritten) return
  if (fault === null && c.env.LOCAL_SERVER) {
    const storage = `${d1Calls} D1 calls in ${d1Ms} ms, ${kvCalls} KV calls in ${kvMs} ms`
    console.log(`${method} ${route} ${status}: ${durationMs} ms, ${storage}`)
    return
  }
  const line = {
    request_id: requestId,
    method,
    route,
    front_end: frontEnd,
    status,
    outcome,
    duration_ms: durationMs,
    d1_calls: d1Calls,
    d1_ms: d1Ms,
    kv_calls: kvCalls,
    kv_ms: kvMs,
    network: truncateAddress(readClientAddress(c) ?? ''),
    ...(await hashSubjects(c, log)),
  }
  if (fault === null) logLine('request', line)
  else logFault('request failed', { ...line, error: toLogged(fault) })
}

export function getGistPublisher(c: AppContext): Publisher {
  const { config, siteUrl, store } = c.var
  return {
    db: store.db,
    contents: store.contents,
    apiUrl: config.github.apiUrl,
    secret: config.authSecret,
    siteUrl,
    clock: Date.now,
    forget: store.forget,
  }
}

/** How long to wait for the rest of a request's body, in milliseconds. */
const MAX_REST_MS = 10_000

/**
 * Reads what is left of a request's body, for which the answer waits. After an answer that comes before its end, wrangler's proxy loses a request, and
 * answers it with 500 (cloudflare/workers-sdk#15203). On Cloudflare, nothing is lost.
 */
async function readRest({ body }: Request): Promise<void> {
  if (body === null || body.locked) return
  await body.pipeTo(new WritableStream(), { signal: AbortSignal.timeout(MAX_REST_MS) }).catch(() => {})
}

/** While the server is read-only: they are shown, and never written. */
const unwrittenViews = new ViewCounter()

/** The operator's icon may be on another site. */
function allowIcon({ var: { config }, res: { headers } }: AppContext): void {
  const { icon } = config.site
  const policy = icon?.startsWith('http') ? headers.get('Content-Security-Policy') : null
  if (icon && policy)
    headers.set('Content-Security-Policy', policy.replace("img-src 'self'", `$& ${new URL(icon).origin}`))
}

/** Touches no storage. */
export const context = createMiddleware<AppEnv>(async (c, next) => {
  // Hono finds each middleware twice for the path `/*`, which isn't refused before this.
  if (c.get('requestId') !== undefined) return next()
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
    views: readOnly ? unwrittenViews : viewCounter,
    quotas: config.quotas,
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
        await publishGist(getGistPublisher(c), documentId)
      }),
  })
  await next()
  addBookmark(c)
  allowIcon(c)
  if (memory.isLarge && c.res.body) c.res = new Response(streamCounted(c.res.body, memory), c.res)
  memory.release()
  await logRequest(c, log)
  if (c.env.LOCAL_SERVER) await readRest(c.req.raw)
})

/** Forms that change nothing on the server: an address, and with a password or tokens what it shows. */
const READING_FORMS =
  /^\/(?:theme|mcp|device(?:\/download(?:\/zip)?)?|(?:r|raw)\/[^/]+|[^/]+\/manage|@[\w-]+%2F[\w.-]+|(?!documents$|share$)[A-Za-z0-9]{4,36}(?:\.\w+)?)$/

/**
 * Refuses early what would change something, before anything else looks at it. What gets past this, such as reading a
 * document that burns, is refused by the storage itself.
 */
export const refuseWritesIfReadOnly = createMiddleware<AppEnv>((c, next) => {
  const { method, path } = c.req
  const isForm = method === 'POST' && READING_FORMS.test(path)
  if (c.var.config.readOnly && !isSafe(method) && !isForm) throw new ReadOnlyError()
  return next()
})

export const requireExplore = createMiddleware<AppEnv>((c, next) => {
  if (!c.var.config.explore) throw routeNotFound()
  return next()
})

const MAX_KEY_CHARACTERS = 255

/** Without a creator, a repeat must come from the same network. @throws AppError `bad_request` for a bad key. */
export function readIdempotentRequest(
  c: AppContext,
  creator: Account | null,
  settings: IdempotentRequest['settings'],
): IdempotentRequest | null {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined) return null
  if (key === '' || key.length > MAX_KEY_CHARACTERS) throw invalidIdempotencyKey(MAX_KEY_CHARACTERS)
  const sender = creator ? `account ${creator.id}` : `network ${toNetwork(readClientAddress(c) ?? '')}`
  return { key, sender, settings, secret: c.var.config.authSecret }
}
