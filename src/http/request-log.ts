import { routePath } from 'hono/route'
import { type AppContext, getVariable } from '../env.ts'
import { isLocal, truncateAddress } from '../platform/addresses.ts'
import { logFault, logLine, type RequestLog, toLogged, writeDataPoint } from '../platform/log.ts'
import { createLogHasher } from '../platform/log-hash.ts'
import { isDocumentId } from '../shared/document-ids.ts'
import { STATUS_BY_CODE } from '../shared/error-codes.ts'
import { readClientAddress } from './network.ts'
import { isApi } from './paths.ts'

const CODE_BY_STATUS: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(STATUS_BY_CODE).map(([code, status]) => [status, code]),
)

/** Locally, wrangler already prints one line. Request ids are random, so some of them are a share of the requests. */
const isLogged = ({ config, requestId, siteUrl }: AppContext['var']): boolean =>
  config.logRequests === null
    ? !isLocal(siteUrl)
    : Number.parseInt(requestId.slice(0, 8), 16) < config.logRequests * 2 ** 32

/** Tells the log which document a request is about that doesn't name it in its path. */
export function logDocument(c: AppContext, id: string): void {
  const log = getVariable(c, 'log')
  if (log) log.documentId = id
}

/** Returns hashes of the ids of the document and the account. Without `AUTH_SECRET`, there are none. */
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
export async function logRequest(c: AppContext, log: RequestLog): Promise<void> {
  const variables = c.var
  const { now, requestId } = variables
  const { d1Calls, d1Ms, kvCalls, kvMs, fault } = log
  const isWritten = fault !== null || isLogged(variables)
  if (!isWritten && !c.env.ANALYTICS) return
  // The pattern, such as `/v1/document/:id`: the path can contain secrets. If only middleware ran, there is no route.
  const pattern = variables.route ?? routePath(c)
  const route = pattern.endsWith('*') ? 'none' : pattern
  const isText = c.res.headers.get('Content-Type')?.startsWith('text/plain')
  const frontEnd = isApi(c.req) ? 'api' : isText ? 'text' : 'site'
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
