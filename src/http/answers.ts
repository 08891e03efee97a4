import type { Env, Hono, Schema } from 'hono'
import type { AppContext } from '../env.ts'
import { type AppError, methodNotAllowed, toAppError } from '../errors.ts'
import { logError } from '../platform/log.ts'
import { pageSecurityHeaders } from '../platform/security-headers.ts'

/** What Hono calls the method of middleware, and of routes that take every method. */
const ANY_METHOD = 'ALL'

/** Returns the value of `Allow` for these methods. Hono answers HEAD wherever it answers GET. */
const formatAllow = (methods: readonly string[]): string =>
  [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(', ')

/**
 * Answers 405 with `Allow` at every path of these routes, for the methods that the path has no route for. Call it
 * once all routes are registered. A path that another group of routes matches too, such as `/:id`, must be mounted
 * after this group, or it would answer first.
 *
 * @example
 * export const home = rejectOtherMethods(new Hono<AppEnv>().get('/', showForm).post('/', createDocument))
 */
export function rejectOtherMethods<E extends Env, S extends Schema, BasePath extends string>(
  routes: Hono<E, S, BasePath>,
): Hono<E, S, BasePath> {
  const methodsByPath = Map.groupBy(
    routes.routes.filter(({ method }) => method !== ANY_METHOD),
    ({ path }) => path,
  )
  for (const [path, registered] of methodsByPath) {
    const allow = formatAllow(registered.map(({ method }) => method))
    routes.all(path, () => {
      throw methodNotAllowed(allow)
    })
  }
  return routes
}

export type Body = string | Uint8Array | ReadableStream | null

export interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Responds with the security headers. All headers are passed at once, because a middleware that sets them one by one
 * takes a tenth of the time of a read.
 */
export const answer = (c: AppContext, body: Body, { status = 200, headers }: AnswerOptions = {}): Response =>
  new Response(body, {
    status,
    headers: { ...pageSecurityHeaders(c.req.url), 'X-Request-Id': c.var.requestId, ...headers },
  })

/** Responds with plain text, and keeps browsers from interpreting it as anything else. */
export const answerText = (c: AppContext, text: Body, { status, headers }: AnswerOptions = {}): Response =>
  answer(c, text, {
    ...(status && { status }),
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })

/** Returns the status and the headers of an error response. */
export const errorOptions = (error: AppError) => ({
  status: error.status,
  headers: { ...error.headers, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
})

/** Logs a server fault with its cause, as part of the request's line. Other errors are the client's mistakes. */
export function logServerFault(c: AppContext, error: AppError): void {
  if (error.status < 500) return
  // Without a valid configuration, the request has no line.
  if (c.var.log) c.var.log.fault = error
  else logError('request failed', c.var.requestId, error)
}

/** Returns a one-line message, with the path of the invalid value if there is one. */
const formatErrorLine = ({ issues, message }: AppError): string =>
  issues?.map(({ path, message: problem }) => `${String(path.at(-1))}: ${problem}`).join('; ') || message

/** Responds to any error with a line of text. */
export function answerErrorText(thrown: unknown, c: AppContext): Response {
  const error = toAppError(thrown)
  logServerFault(c, error)
  return answerText(c, `${formatErrorLine(error)}\n`, errorOptions(error))
}

/**
 * Matches browsers, search engines and programs that fetch link previews. Many preview programs accept any type, as curl
 * does, but need the tags of a page.
 */
const PAGE_READERS = /mozilla|bot|externalhit|whatsapp|preview|spider|crawl/i

/** The request headers that `wantsText` looks at, for `Vary`. */
export const VARY_BY_FORM = { Vary: 'Accept, User-Agent' } as const

/**
 * Returns true if the client should get plain text instead of a page, because it's a program such as curl: it accepts
 * any type and doesn't ask for HTML.
 */
export function wantsText(c: AppContext): boolean {
  const accept = c.req.header('Accept') ?? ''
  if (/\bhtml\b/.test(accept)) return false
  const agent = c.req.header('User-Agent') ?? ''
  // Without either header, we can't tell what the client is.
  return accept.includes('text/plain') || (accept + agent !== '' && !PAGE_READERS.test(agent))
}
