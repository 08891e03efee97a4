import type { Env, Hono, Schema } from 'hono'
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { type Document, getGistUrl, isListed } from '../documents/document.ts'
import { type AppContext, type AppEnv, getVariable } from '../env.ts'
import { AppError, methodNotAllowed, ReadOnlyError, toAppError } from '../errors.ts'
import { logError } from '../platform/log.ts'
import { dataSecurityHeaders, pageSecurityHeaders } from '../platform/security-headers.ts'
import {
  generateSlot,
  SLICE_CHARACTERS,
  splitSlices,
  streamSliced,
  type TextInSlot,
} from '../platform/streaming.ts'
import { DAY_SECONDS } from '../shared/instant.ts'

export type Body = string | Uint8Array | ReadableStream | null

export interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The headers by which other sites may read an answer. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Range, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Bookmark, X-Document-Token, X-Request-Id',
}

/** Passes all headers at once: a middleware that sets them one by one takes a tenth of the time of a read. */
export const answer = (c: AppContext, body: Body, { status = 200, headers }: AnswerOptions = {}): Response =>
  new Response(body, {
    status,
    headers: {
      ...pageSecurityHeaders(c.req.url),
      ...(getVariable(c, 'allowsAnyOrigin') && CORS_HEADERS),
      'X-Request-Id': getVariable(c, 'requestId'),
      ...headers,
    },
  })

const escapeSlice = (slice: string) => JSON.stringify(slice).slice(1, -1)

/**
 * Serializes a body whose texts may be long: those are escaped slice by slice while they are sent. `build` passes each text
 * to `write`, in the order in which the body has them.
 */
export function toJson(
  build: (write: (text: string) => string) => object,
): string | ReadableStream<Uint8Array> {
  const texts: TextInSlot[] = []
  let charactersLeft = SLICE_CHARACTERS
  const write = (text: string) => {
    if (text.length <= charactersLeft) {
      charactersLeft -= text.length
      return text
    }
    const slot = generateSlot()
    texts.push({ slot, text, write: () => splitSlices(text).map(escapeSlice) })
    return slot
  }
  const template = JSON.stringify(build(write))
  return texts.length === 0 ? template : streamSliced({ template, texts })
}

export const answerText = (c: AppContext, text: Body, { status, headers }: AnswerOptions = {}): Response =>
  answer(c, text, {
    ...(status && { status }),
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })

export const errorOptions = (error: AppError) => ({
  status: error.status,
  headers: { ...error.headers, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
})

/** Writes the error into the request's line of the log. Other errors are the client's mistakes. */
export function logServerFault(c: AppContext, error: AppError): void {
  if (error.status < 500 || error instanceof ReadOnlyError) return
  // Without a valid configuration, the request has no line.
  if (c.var.log) c.var.log.fault = error
  else logError('request failed', c.var.requestId, error)
}

/** Returns a line that says what went wrong, and what to do. */
export function formatErrorLine({ hint, issues, message, nextStep = hint }: AppError): string {
  if (issues && issues.length > 0)
    return issues.map(({ path, message: problem }) => `${String(path.at(-1))}: ${problem}`).join('; ')
  return nextStep === undefined ? message : `${message}. ${nextStep}`
}

export function answerErrorText(thrown: unknown, c: AppContext): Response {
  const error = toAppError(thrown)
  logServerFault(c, error)
  return answerText(c, `${formatErrorLine(error)}\n`, errorOptions(error))
}

/** Each has its own entity tag (RFC 9110 §8.8.3). Pages and pictures also depend on the build: `page-BUILD`. */
export type Representation = 'json' | 'raw' | `page-${string}` | `picture-${string}`

/**
 * Returns a strong entity tag. View counts don't change it, but a gist, which is added without an edit, does where its
 * URL is shown.
 */
export function entityTag(document: Document, representation: Representation): string {
  const gist = representation === 'raw' ? undefined : getGistUrl(document)?.match(/(?<!\w)\w+$/)?.[0]
  return `"${representation}-${document.version}${gist === undefined ? '' : `-${gist}`}"`
}

/**
 * Ignores `W/`, also for `If-Match` (against RFC 9110 §13.1.1): proxies that compress an answer make its tag weak, and
 * our versions are unique in every coding, so no edit is lost.
 */
export const someTag = (header: string, matches: (tag: string) => boolean): boolean =>
  header.split(',').some((entry) => {
    const candidate = entry.trim()
    return candidate === '*' || matches(candidate.replace(/^W\//, ''))
  })

/** The document has another tag with its gist: an edit that was begun before the gist was added overwrites nothing. */
function includesVersion(header: string, document: Document, representation: Representation): boolean {
  const tag = entityTag({ ...document, gistUrl: null }, representation)
  return someTag(header, (candidate) => candidate === tag || candidate.startsWith(`${tag.slice(0, -1)}-`))
}

export class DocumentChangedError extends AppError {
  readonly document: Document

  constructor(document: Document, representation: 'json' | 'raw') {
    super('precondition_failed', 'The document has changed since you read it', {
      nextStep: 'Read it again, then send your change with its new ETag',
      headers: { ETag: entityTag(document, representation) },
    })
    this.document = document
  }
}

/** The tag of the JSON always counts, that of the text where the text is replaced. The error has the tag of `representation`. */
export const checkIfMatch =
  (ifMatch: string | undefined, representation: 'json' | 'raw' = 'json') =>
  (document: Document) => {
    if (ifMatch === undefined) return
    const isCurrent = (['json', representation] as const).some((tag) =>
      includesVersion(ifMatch, document, tag),
    )
    if (!isCurrent) throw new DocumentChangedError(document, representation)
  }

/**
 * Tells whether the client has the current version. Never answers yes for encrypted documents, whose answer depends on
 * the password, and for those that burn after reading.
 */
export const isFresh = (
  ifNoneMatch: string | undefined,
  document: Document,
  representation: Representation,
): boolean =>
  ifNoneMatch !== undefined &&
  !document.encrypted &&
  !document.burnAfterReading &&
  someTag(ifNoneMatch, (tag) => tag === entityTag(document, representation))

export function documentHeaders(document: Document, representation: Representation): Record<string, string> {
  return {
    'Cache-Control': document.encrypted || document.burnAfterReading ? 'no-store' : 'private, no-cache',
    ...(!document.burnAfterReading && { ETag: entityTag(document, representation) }),
    ...(!isListed(document) && { 'X-Robots-Tag': 'noindex' }),
  }
}

/** The engines of browsers, and browsers without one of the large ones. PowerShell calls itself Mozilla, too. */
const BROWSERS =
  /\b(?:AppleWebKit|Gecko|Trident|Presto|KHTML|Servo|Ladybird)\/|^(?:Lynx|Links|ELinks|w3m|Dillo|NetSurf|Opera)\b|^Mozilla\/(?!.*(?:compatible;|PowerShell))/i

/** Link previews and search engines, which need the tags of a page. Many accept any type, as curl does. */
const PAGE_READERS =
  /\b(?:facebookexternalhit|facebookcatalog|meta-externalagent|WhatsApp|Twitterbot|Slackbot|Slack-ImgProxy|Discordbot\/|TelegramBot|LinkedInBot|SkypeUriPreview|MicrosoftPreview|(?:Mastodon|Pleroma|Akkoma|Misskey|Lemmy)(?=[ /])|Cardyb|redditbot|Pinterest(?:bot)?|Tumblr|vkShare|Viber|kakaotalk-scrap|Snapchat|Embedly|Iframely|Mattermost-Bot|Rocket\.Chat|ZulipURLPreview|Synapse|Google(?:bot|-InspectionTool|Other)|Mediapartners-Google|bingbot|BingPreview|adidxbot|DuckDuckBot|DuckAssistBot|YandexBot|Baiduspider|Applebot|PetalBot|SeznamBot|Sogou|Qwantify|Qwantbot|MojeekBot|Slurp|Ecosiabot|kagibot|ia_archiver|archive\.org_bot)(?:\b|(?<= |\/))/i

/** The request headers that `wantsText` looks at. */
export const VARY_BY_FORM = { Vary: 'Accept, User-Agent' } as const

/**
 * Tells whether a person will look at the answer. Without a `User-Agent`, the accepted types decide. Agents that accept
 * Markdown may call themselves a browser, but no browser accepts it.
 */
function isBrowser(c: AppContext): boolean {
  const agent = c.req.header('User-Agent') ?? ''
  const accept = c.req.header('Accept') ?? ''
  return /\bhtml\b/.test(accept) && !/\bmarkdown\b/.test(accept) && (agent === '' || BROWSERS.test(agent))
}

export const acceptsMarkdown = (c: AppContext): boolean =>
  /\btext\/markdown\b/.test(c.req.header('Accept') ?? '')

/** Text is the default. A page is for browsers, link previews and search engines. */
export const wantsText = (c: AppContext): boolean =>
  !isBrowser(c) &&
  (c.req.method === 'POST' ||
    /\btext\/(?:plain|markdown)\b/.test(c.req.header('Accept') ?? '') ||
    !PAGE_READERS.test(c.req.header('User-Agent') ?? ''))

/** The script of a page shows the outcome of its form itself. */
export const wantsJson = (c: AppContext): boolean => c.req.header('Accept') === 'application/json'

export const allowAnyOrigin = createMiddleware<AppEnv>((c, next) => {
  c.set('allowsAnyOrigin', true)
  return next()
})

/** Passes on OPTIONS requests that aren't preflights. */
export function answerPreflight({ methods, headers }: { methods: string[]; headers: string[] }) {
  const preflight = cors({ origin: '*', allowMethods: methods, allowHeaders: headers, maxAge: DAY_SECONDS })
  return createMiddleware<AppEnv>((c, next) => {
    if (c.req.method !== 'OPTIONS' || !c.req.header('Access-Control-Request-Method')) return next()
    const headers = { ...dataSecurityHeaders(c.req.url), 'X-Request-Id': c.var.requestId }
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return preflight(c, next)
  })
}

/** The name that Hono has for the method of middleware, and of routes that take every method. */
const ANY_METHOD = 'ALL'

/**
 * Answers 405 with `Allow` at every path of these routes. Call it once all are registered. A group with a wider path,
 * such as `/:id`, must be mounted after this one, or it would answer first.
 */
export function rejectOtherMethods<E extends Env, S extends Schema, BasePath extends string>(
  routes: Hono<E, S, BasePath>,
): Hono<E, S, BasePath> {
  const methodsByPath = Map.groupBy(
    routes.routes.filter(({ method }) => method !== ANY_METHOD),
    ({ path }) => path,
  )
  for (const [path, registered] of methodsByPath) {
    // Hono answers HEAD wherever it answers GET.
    const methods = registered.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const allow = [...new Set(methods)].join(', ')
    routes.all(path, () => {
      throw methodNotAllowed(allow)
    })
  }
  return routes
}
