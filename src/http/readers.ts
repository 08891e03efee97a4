import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../env.ts'
import { routeNotFound, signInRequired, unauthorized } from '../errors.ts'
import { wantsText } from './answers.ts'
import { askAccount, askViewer, NOTHING, putsToDocument, readDocumentToken } from './identity.ts'

type Requests = readonly (readonly [methods: string, path: RegExp])[]

/**
 * What a server answers to everyone although only accounts may read (`READERS`): how to sign in, what it says about itself,
 * and new documents, if it takes them without an account. Everything else needs an account, so a new route does.
 */
const OPEN: Requests = [
  [
    'GET HEAD',
    /^\/(?:|about|abuse|privacy|terms|docs|api|robots\.txt|llms\.txt|skill\.md|\.well-known\/security\.txt|share)$/,
  ],
  ['GET HEAD', /^\/(?:v1|v1\/openapi\.json|site\/(?:style\.css|manifest\.webmanifest|preview\.png))$/],
  ['GET HEAD POST', /^\/(?:sign-in(?:\/.*)?|sign-up(?:\/.*)?|sign-out)$/],
  ['POST', /^\/(?:|theme|share|documents|v1\/documents?)$/],
  ['PUT', /^\/[^/]*$/],
  // Browsers ask without a credential, and handlers of documents answer no such request.
  ['OPTIONS', /^/],
]

/** The token of a document still edits and deletes it, but the answer has nothing of the document's text. */
const BY_TOKEN: Requests = [
  ['PATCH', /^\/v1\/documents?$/],
  ['DELETE', /^\/(?:v1\/documents?\/)?[^/]+$/],
]

/** What programs ask for, to which a sign-in page would be no answer. */
const NO_PAGE =
  /^\/(?:v1|r|raw|mcp|oembed|icons|explore\.atom|sitemap\.xml|@[^/]+\.atom|[^/]+\/(?:embed|preview\.png))(?:\/|$)/

const includes = (requests: Requests, { req: { method, path } }: AppContext): boolean =>
  requests.some(
    ([methods, pattern]) =>
      methods.split(' ').includes(method) && pattern.test(path === '/' ? path : path.replace(/\/$/, '')),
  )

/** Without an account, nobody learns whether there is a document to update. */
const isOpen = (c: AppContext): boolean => includes(OPEN, c) && !putsToDocument(c)

const takesToken = (c: AppContext): boolean => includes(BY_TOKEN, c) || putsToDocument(c)

const wantsPage = (c: AppContext): boolean =>
  ['GET', 'HEAD', 'POST'].includes(c.req.method) && !NO_PAGE.test(c.req.path) && !wantsText(c)

const refuse = (c: AppContext) => (wantsPage(c) ? signInRequired() : unauthorized())

/** A cache that many people share may not keep what only accounts may read. */
function keepFromSharedCaches({ headers }: Response): void {
  const directives = headers.get('Cache-Control') ?? 'no-cache'
  if (/\b(?:private|no-store)\b/.test(directives)) return
  headers.set('Cache-Control', `private, ${directives.replace(/\bpublic,\s*/, '')}`)
}

/**
 * Where only accounts may read, comes before everything that looks for a document: nobody else learns which there are. Takes a
 * query before the one of the document.
 *
 * @throws AppError `unauthorized` without a valid key or session; SignInRequired for a page.
 */
export const requireReader = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get('config').readers === 'anyone') return next()
  if (isOpen(c)) {
    // The answer to a create has the text, and a repeated one the present text.
    if (c.req.path.startsWith('/v1/')) c.set('hidesContent', (await askViewer(c, NOTHING)).user === null)
    return next()
  }
  if ((await askAccount(c, NOTHING, 'read')).user) {
    await next()
    return keepFromSharedCaches(c.res)
  }
  if (!takesToken(c) || readDocumentToken(c) === undefined) throw refuse(c)
  c.set('hidesContent', true)
  await next()
  if (c.res.status !== 403 && c.res.status !== 404) return
  // A wrong token doesn't tell which documents there are. Hono would merge the headers of both answers.
  c.res = undefined
  throw refuse(c)
})

/** Comes before public lists, which an operator can turn off. */
export const requireExplore = createMiddleware<AppEnv>((c, next) => {
  if (!c.var.config.explore) throw routeNotFound()
  return next()
})
