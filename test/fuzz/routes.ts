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
  ),
  ...get('/.well-known/security.txt', '/p/:address', '/icons/:file', '/icons/:account/:version'),
  { path: '/', methods: ['GET', 'POST', 'PUT'] },
  { path: '/:address', methods: ['GET', 'POST', 'PUT', 'DELETE'] },
  ...get('/oembed', '/:id/embed', '/:id/embed/code'),
  ...both('/r/:id', '/raw/:id', '/device', '/:id/manage', '/:id/edit', '/:id/delete', '/:id/report'),
  ...get('/:id/history', '/:id/history/compare', '/:id/history/:number'),
  ...post('/:id/history/:number/restore', '/:id/history/delete', '/:id/history/stop', '/:id/history/keep'),
  ...post('/documents', '/theme', '/:id/editors/add', '/:id/editors/remove', '/:id/editors/leave'),
  ...get(
    '/:id/preview.png',
    '/:id/editors',
    '/:id/report/thanks',
    '/account/usernames',
    '/account/documents',
  ),
  ...both('/sign-in', '/sign-up', '/sign-up/username', '/sign-in/link', '/sign-out'),
  ...post('/sign-in/github', '/account/documents/delete', '/device/download', '/device/download/zip'),
  ...get('/sign-in/callback/github', '/account'),
  ...get(
    '/explore',
    '/explore.atom',
    '/@:username',
    '/@:username.atom',
    '/sitemap.xml',
    '/sitemap-pages.xml',
  ),
  ...get('/account/download', '/account/download/zip'),
  ...both(
    '/account/profile',
    '/account/username',
    '/account/keys',
    '/account/defaults',
    '/account/sign-out-everywhere',
  ),
  ...both('/account/delete', '/account/email', '/account/email/leave-email', '/account/email/take-email'),
  ...post('/account/picture', '/account/keys/:id/revoke', '/account/github/connect'),
  ...post('/account/github/disconnect', '/moderation/blocks/lift', '/moderation/accounts/suspend'),
  ...get('/moderation', '/moderation/removals', '/moderation/accounts', '/moderation/audit'),
  ...both('/moderation/blocks', '/moderation/remove-all', '/moderation/:id/remove'),
  ...get('/moderation/:id', '/moderation/:id/text'),
  ...post('/moderation/accounts/restore', '/moderation/:id/dismiss'),
]
