import fc from 'fast-check'
import { anyBody, type Body, mutated } from './bodies.ts'
import { addressPart, hostileText, QUERY_NAMES } from './hostile.ts'
import type { FuzzRequest, World } from './world.ts'

interface FuzzRoute {
  readonly path: string
  /** The methods that do something. The fuzzer tries the others, too. */
  readonly methods: readonly string[]
}

const get = (...paths: readonly string[]): FuzzRoute[] => paths.map((path) => ({ path, methods: ['GET'] }))
const post = (...paths: readonly string[]): FuzzRoute[] => paths.map((path) => ({ path, methods: ['POST'] }))
const both = (...paths: readonly string[]): FuzzRoute[] =>
  paths.map((path) => ({ path, methods: ['GET', 'POST'] }))

/** Every route, with parameters as `:name`. A test compares this with the app. */
export const ROUTES: readonly FuzzRoute[] = [
  ...['/v1/document', '/v1/documents'].flatMap((path) => [
    { path, methods: ['POST', 'PATCH'] },
    { path: `${path}/:id`, methods: ['GET', 'DELETE'] },
    { path: `${path}/:id/claim`, methods: ['GET', 'POST'] },
    { path: `${path}/:id/revisions`, methods: ['GET', 'DELETE'] },
    { path: `${path}/:id/revisions/:number`, methods: ['GET'] },
    { path: `${path}/:id/revisions/:number/restore`, methods: ['POST'] },
  ]),
  ...['/v1/users', '/v1/user'].flatMap((path) => [
    ...get(`${path}/@me`, `${path}/@me/recent`, `${path}/@me/recentDocuments`, `${path}/@me/documents`),
    ...get(`${path}/search/:prefix`, `${path}/:username`),
    ...post(`${path}/@me/regenerate_api_token`),
  ]),
  ...get(
    '/health',
    '/v1',
    '/v1/public',
    '/about',
    '/privacy',
    '/terms',
    '/docs',
    '/api',
    '/abuse',
    '/robots.txt',
    '/llms.txt',
    '/skill.md',
  ),
  ...get(
    '/.well-known/security.txt',
    '/p/:address',
    '/documents/:address',
    '/share/:address',
    '/icons/:file',
    '/icons/:account/:version',
  ),
  { path: '/', methods: ['GET', 'POST', 'PUT'] },
  { path: '/:address', methods: ['GET', 'POST', 'PUT', 'DELETE'] },
  ...get('/oembed', '/:id/embed', '/:id/embed/code'),
  ...both(
    '/share',
    '/r/:id',
    '/raw/:id',
    '/device',
    '/:id/manage',
    '/:id/edit',
    '/:id/delete',
    '/:id/report',
  ),
  ...get('/:id/history', '/:id/history/compare', '/:id/history/:number'),
  ...post('/:id/history/:number/restore', '/:id/history/delete', '/:id/history/stop', '/:id/history/keep'),
  ...post('/documents', '/mcp', '/theme', '/:id/editors/add', '/:id/editors/remove', '/:id/editors/leave'),
  ...get(
    '/:id/preview.png',
    '/:id/editors',
    '/:id/report/thanks',
    '/account/usernames',
    '/account/documents',
  ),
  ...both('/sign-in', '/sign-up', '/sign-up/username', '/sign-in/link', '/sign-out'),
  ...get('/r/:id/:name', '/raw/:id/:name', '/:id/:name'),
  ...get('/v1/openapi.json', '/site/style.css', '/site/manifest.webmanifest', '/site/preview.png'),
  ...post(
    '/sign-in/github',
    '/sign-in/oidc',
    '/account/documents/delete',
    '/device/download',
    '/device/download/zip',
  ),
  ...get('/sign-in/callback/github', '/sign-in/callback/oidc', '/account'),
  ...get('/explore', '/explore.atom', '/@:username', '/@:username.atom', '/sitemap.xml'),
  ...get('/account/download', '/account/download/zip'),
  ...both(
    '/account/profile',
    '/account/username',
    '/account/keys',
    '/account/invitations',
    '/account/defaults',
    '/account/sign-out-everywhere',
  ),
  ...both('/account/delete', '/account/email', '/account/email/leave-email', '/account/email/take-email'),
  ...post(
    '/account/picture',
    '/account/keys/:id/revoke',
    '/account/invitations/:id/revoke',
    '/account/github/connect',
  ),
  ...post('/account/single-sign-on/connect', '/account/single-sign-on/disconnect'),
  ...post('/account/github/disconnect', '/moderation/blocks/lift', '/moderation/accounts/suspend'),
  ...get('/moderation', '/moderation/removals', '/moderation/accounts', '/moderation/audit'),
  ...both('/moderation/blocks', '/moderation/remove-all', '/moderation/:id/remove'),
  ...get('/moderation/:id', '/moderation/:id/text'),
  ...post('/moderation/accounts/restore', '/moderation/:id/dismiss', '/moderation/:id/restore'),
]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Ends the session or replaces the key that further requests need. */
const ENDS_CREDENTIAL = /regenerate_api_token|sign-out|account\/delete/

const parameter = (world: World): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...world.ids) },
    { weight: 1, arbitrary: fc.constantFrom(...world.usernames, 'xxxxxxxx', `${world.ids[0]}.py`, 'a.svg') },
    { weight: 2, arbitrary: addressPart },
  )

const path = (world: World, template: string): fc.Arbitrary<string> => {
  const parts = template
    .split('/')
    .map((part) => (part.startsWith(':') ? parameter(world) : fc.constant(part)))
  return fc.tuple(...parts).map((values) => values.join('/'))
}

const query = (world: World): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...QUERY_NAMES) }, addressPart),
        fc.oneof(
          fc.constantFrom('1', '10-20', 'on', '2d', 'never', 'markdown', '/account', '50'),
          fc.constantFrom(...world.documentTokens, ...world.passwords).map(encodeURIComponent),
          addressPart,
        ),
      ),
      { maxLength: 3 },
    )
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`))

/** Returns a header's value that a client can send: bytes as Latin-1, without line breaks. */
const toHeaderValue = (text: string): string => text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '').trim()

const value = (...usual: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...usual) }, hostileText.map(toHeaderValue))

const headers = (world: World): fc.Arbitrary<Partial<Record<string, string>>> =>
  fc.record(
    {
      Accept: value('text/html', '*/*', 'application/json', 'text/plain', 'text/html,*/*;q=0.8'),
      'User-Agent': value('Mozilla/5.0', 'curl/8.5.0', 'Wget/1.21', ''),
      Origin: value(world.origin, 'https://other.example', 'null'),
      'Sec-Fetch-Site': value('same-origin', 'cross-site', 'none'),
      Referer: value(`${world.origin}/account`, 'https://other.example/?x=1'),
      'X-Document-Token': value(...world.documentTokens),
      'X-Document-Password': value(...world.passwords),
      'If-Match': value('*', '"json-x"'),
      'If-None-Match': value('*', '"json-x"', 'W/"page-x"'),
      'Idempotency-Key': value('one', 'two'),
      'Access-Control-Request-Method': value('POST'),
      'CF-Connecting-IP': value('192.0.2.1', '2001:db8::1'),
      Range: value('bytes=0-1'),
    },
    { requiredKeys: [] },
  )

/** Most requests have one credential, so that they get past the first checks. */
const credential = (world: World): fc.Arbitrary<Partial<Record<string, string>>> =>
  fc.oneof(
    fc.constant({}),
    fc.constantFrom(...world.keys).map((key) => ({ Authorization: key })),
    fc.constantFrom(...world.keys).map((key) => ({ Authorization: `Bearer ${key}` })),
    hostileText.map((text) => ({ Authorization: toHeaderValue(text) })),
    fc.constantFrom(...world.cookies).map((Cookie) => ({ Cookie, Origin: world.origin })),
    fc.constantFrom(...world.cookies).map((Cookie) => ({ Cookie })),
    fc
      .constantFrom(...world.cookies)
      .chain(mutated)
      .map((cookie) => ({ Cookie: `${toHeaderValue(cookie)}; theme=sand; display=x` })),
  )

const NO_BODY: Body = { type: '', text: '' }

/** Creating and reading documents has the most code, so these routes get more of the requests. */
const WEIGHTED_ROUTES = ROUTES.flatMap((route) =>
  /^\/(?:v1\/document|$|:address$|r\/)/.test(route.path) ? [route, route, route, route] : [route],
)

/** Requests to every route, with every method. Most are nearly right. */
export function anyRequest(world: World): fc.Arbitrary<FuzzRequest> {
  return fc.constantFrom(...WEIGHTED_ROUTES).chain(({ path: template, methods }) =>
    fc
      .record({
        method: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...methods) }, fc.constantFrom(...METHODS)),
        path: fc.oneof(
          { weight: 8, arbitrary: path(world, template) },
          path(world, template).map((usual) => `${usual}/`),
          addressPart.map((text) => `${template}/${text}`),
        ),
        query: query(world),
        headers: headers(world),
        credential: ENDS_CREDENTIAL.test(template) ? fc.constant({}) : credential(world),
        body: anyBody(world),
        contentType: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, hostileText.map(toHeaderValue)),
      })
      .map(({ method, path, query, headers, credential, body, contentType }) => {
        const { type, text } = method === 'GET' || method === 'HEAD' ? NO_BODY : body
        const sent = { ...headers, ...credential, 'Content-Type': contentType ?? type }
        return {
          method,
          target: path + query,
          headers: Object.fromEntries(
            Object.entries(sent).filter((entry): entry is [string, string] => Boolean(entry[1])),
          ),
          body: method === 'GET' || method === 'HEAD' ? null : text,
        }
      }),
  )
}
