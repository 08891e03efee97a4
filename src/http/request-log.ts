import { routePath } from 'hono/route'
import type { AppContext } from '../env.ts'
import { STATUS_BY_CODE } from '../errors.ts'
import { writeDataPoint } from '../platform/data-points.ts'
import { logFault, logLine, type RequestLog, toLogged } from '../platform/logging.ts'
import { isLocal } from '../platform/loopback.ts'
import { truncateAddress } from './truncate-address.ts'

export const startRequestLog = (): RequestLog => ({ d1Calls: 0, d1Ms: 0, kvCalls: 0, kvMs: 0, fault: null })

const CODE_BY_STATUS: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(STATUS_BY_CODE).map(([code, status]) => [status, code]),
)

/** Returns "ok", or the error code of the response. */
const getOutcome = (status: number): string => (status < 400 ? 'ok' : (CODE_BY_STATUS[status] ?? 'error'))

/** Returns the pattern of the route that answered, such as `/v1/document/:id`. The path itself can contain secrets. */
function getRoute(c: AppContext): string {
  const route = routePath(c)
  // Only middleware ran: there is no such route.
  return route.endsWith('*') ? 'none' : route
}

/** Returns which part of Regent answered. */
function getFrontEnd(c: AppContext, route: string): 'api' | 'text' | 'site' {
  if (route.startsWith('/v1') || c.req.path.startsWith('/v1/')) return 'api'
  return c.res.headers.get('Content-Type')?.startsWith('text/plain') ? 'text' : 'site'
}

/** Decides by the request id, which is random, whether to log a request. */
const isSampled = (requestId: string, share: number): boolean =>
  share >= 1 || Number.parseInt(requestId.slice(0, 8), 16) < share * 2 ** 32

/** Returns true if the log has a line for this request. Locally, wrangler already prints one. */
function isLogged({ var: { config, requestId, siteUrl } }: AppContext): boolean {
  return config.logRequests === null ? !isLocal(siteUrl) : isSampled(requestId, config.logRequests)
}

/**
 * Logs a request as one line, and writes a data point if Analytics Engine is set up. Storage calls that the response
 * didn't wait for aren't counted. A request that failed by our fault is always logged, with the cause.
 *
 * The line never contains the URL, headers or bodies, because they contain passwords, keys and ids.
 */
export function logRequest(c: AppContext, log: RequestLog): void {
  const { now, requestId, siteUrl } = c.var
  const { d1Calls, d1Ms, kvCalls, kvMs, fault } = log
  const route = getRoute(c)
  const frontEnd = getFrontEnd(c, route)
  const { status } = c.res
  const outcome = getOutcome(status)
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
  if (fault === null && !isLogged(c)) return
  if (fault === null && isLocal(siteUrl)) {
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
    network: truncateAddress(c.req.header('CF-Connecting-IP') ?? ''),
  }
  if (fault === null) logLine('request', line)
  else logFault('request failed', { ...line, error: toLogged(fault) })
}
