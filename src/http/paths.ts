import { getPathNoStrict } from 'hono/utils/url'
import { looksLikeId } from '../shared/document-ids.ts'

/**
 * The method and path of a request, as `ROUTING` has made the path. This file decides what a path means for more than
 * its route.
 */
interface RequestLine {
  readonly method: string
  readonly path: string
}

/** An address by name, such as `/@ada/report` or `/r/@ada/report/main.py`, up to the slash in it. */
const NAMED_ADDRESS = /^(\/(?:r\/|raw\/|v1\/documents?\/)?(?:@|%40)[^/%]+)\/(?=[^/])/

/**
 * Every Hono app has it. Encodes the slash in `@username/name`, so that routes with the parameter `:id` take a name, too, and what
 * begins a pattern: Hono would find the routes of `/:id/edit` twice for that very path. Ignores one slash at the end.
 */
export const ROUTING = {
  getPath: (request: Request): string =>
    getPathNoStrict(request)
      .replace(NAMED_ADDRESS, '$1%2F')
      .replaceAll('/:', '/%3A')
      .replaceAll('/*', '/%2A'),
}

/** The form that almost every path has. */
const ORDINARY = /^\/(?:\w(?:[\w/.-]*[A-Za-z\d/])?)?$/
/** The address of a document or a page, and what follows it. */
const ADDRESS =
  /^\/+((?:(?:r|raw|p)\/)?(?:[A-Za-z0-9]{4,36}(?:\.[a-z0-9]{1,12})?|@[\w-]{3,30}\/[\w.-]{1,64}))([^/]*)\/?$/i
/**
 * Characters after an address that programs which detect links in text take for a part of it. After a dot, documents
 * have any language.
 */
const PUNCTUATION = /^[_-]*(?:[^\w./%-]|%(?!2f|5c|23|25))|^[_-]+$/i
/** A `#` that such a program encoded, perhaps twice. */
const ENCODED_FRAGMENT = /^%(?:25)*23(.+)$/

/**
 * Returns the address that an altered one was meant to be; null if nothing altered it. A password after an encoded `#` goes where
 * browsers keep it from servers, and is in no log of ours.
 */
export function findMeantAddress({
  method,
  path,
  url,
}: RequestLine & { readonly url: string }): string | null {
  if (ORDINARY.test(path) || (method !== 'GET' && method !== 'HEAD')) return null
  const { pathname, search } = new URL(url)
  const [, address, rest = ''] = ADDRESS.exec(pathname) ?? []
  const fragment = ENCODED_FRAGMENT.exec(rest)?.[1]
  const isAltered = pathname.startsWith('//') || fragment !== undefined || PUNCTUATION.test(rest)
  if (address === undefined || !isAltered) return null
  return `/${address}${search}${fragment === undefined ? '' : `#${fragment}`}`
}

export const isApi = ({ path }: RequestLine): boolean => /^\/v1(?:\/|$)/.test(path)
export const isRawText = ({ path }: RequestLine): boolean => /^\/r(?:aw)?(?:\/|$)/.test(path)
export const isEmbed = ({ path }: RequestLine): boolean => /^\/[^/]+\/embed$/.test(path)
/** Tells whether it's a route of a haste server. */
export const isHastePath = ({ path }: RequestLine): boolean => /^\/documents(?:\/|$)/.test(path)

/** Takes what a person shares from another app. */
export const isSharePath = ({ path }: RequestLine): boolean => path === '/share'

const CREATE_PATHS: ReadonlySet<string> = new Set(['/', '/documents', '/v1/document', '/v1/documents'])

/** The limit on creates counts such a request. Creates of agents at `/mcp` are counted there. */
export const mayCreate = ({ method, path }: RequestLine): boolean =>
  method === 'PUT' ? /^\/[^/]*$/.test(path) : method === 'POST' && CREATE_PATHS.has(path)

/**
 * Tells whether a request updates a document if there is one. Otherwise, it creates one with the last part of its path
 * as the name.
 */
export const putsToDocument = ({ method, path }: RequestLine): boolean =>
  method === 'PUT' && looksLikeId(path.slice(1))

/** Tells whether a request creates or updates the document of that name, which a script may have left empty. */
export const putsToName = ({ method, path }: RequestLine): boolean =>
  method === 'PUT' && /^\/(?:@|%40)(?:[^/]+%2F|[\w-]{3,30}$)/i.test(path)

/** Paths that may look up an id or a name. Unknown words of the same form count too: they take the same query. */
const LOOKUP =
  /^\/(?:(?:v1\/(?:documents?|users?)\/|r\/|raw\/|p\/|@)?[A-Za-z0-9]{4,36}(?:[./]|$)|(?:v1\/documents?\/|r\/|raw\/)?(?:@|%40)[^/]+%2F|mcp$)/i

/** An edit has the id or the name in its body. */
const EDIT = /^\/v1\/documents?$/i

/** The limit on guesses counts such a request if it finds nothing. */
export const looksUp = ({ method, path }: RequestLine): boolean =>
  LOOKUP.test(path) || (method === 'PATCH' && EDIT.test(path))

/** Forms that change nothing on the server: an address, and with a password or tokens what it shows. */
const READING_FORMS =
  /^\/(?:theme|mcp|device(?:\/download(?:\/zip)?)?|(?:r|raw)\/[^/]+|[^/]+\/manage|@[\w-]+%2F[\w.-]+|(?!documents$|share$)[A-Za-z0-9]{4,36}(?:\.\w+)?)$/

/** A server that is read-only answers such a request. */
export const isReadingForm = ({ method, path }: RequestLine): boolean =>
  method === 'POST' && READING_FORMS.test(path)

type Requests = readonly (readonly [methods: string, path: RegExp])[]

const includes = (requests: Requests, { method, path }: RequestLine): boolean =>
  requests.some(([methods, pattern]) => methods.split(' ').includes(method) && pattern.test(path))

/**
 * The requests that a server answers to everyone although only accounts may read (`READERS`): how to sign in, what it
 * says about itself, and new documents, if it takes them without an account. Everything else needs an account, so a new
 * route does.
 */
const OPEN: Requests = [
  [
    'GET HEAD',
    /^\/(?:|about|abuse|privacy|terms|docs|api|robots\.txt|llms\.txt|skill\.md|\.well-known\/security\.txt|share)$/,
  ],
  ['GET HEAD', /^\/(?:v1|v1\/openapi\.json|site\/(?:style\.css|manifest\.webmanifest|preview\.png))$/],
  ['GET HEAD POST', /^\/(?:sign-in(?:\/.*)?|sign-up(?:\/.*)?|sign-out)$/],
  ['POST', /^\/(?:theme|share)$/],
  // Browsers ask without a credential, and handlers of documents answer no such request.
  ['OPTIONS', /^/],
]

/**
 * Tells whether everyone gets an answer where only accounts may read. An update isn't open: without an account, nobody
 * learns whether there is a document to update.
 */
export const isOpenToAnyone = (line: RequestLine): boolean =>
  (includes(OPEN, line) || mayCreate(line)) && !putsToDocument(line)

/** The token of a document still edits and deletes it, but the answer has nothing of the document's text. */
const BY_TOKEN: Requests = [
  ['PATCH', /^\/v1\/documents?$/],
  ['DELETE', /^\/(?:v1\/documents?\/)?[^/]+$/],
]

export const takesToken = (line: RequestLine): boolean => includes(BY_TOKEN, line) || putsToDocument(line)

const FOR_PROGRAMS =
  /^\/(?:v1|r|raw|mcp|oembed|icons|explore\.atom|sitemap\.xml|@[^/]+\.atom|[^/]+\/(?:embed|preview\.png))(?:\/|$)/

/** A sign-in page would be no answer to the program that asks. */
export const isForPrograms = ({ method, path }: RequestLine): boolean =>
  !['GET', 'HEAD', 'POST'].includes(method) || FOR_PROGRAMS.test(path)
