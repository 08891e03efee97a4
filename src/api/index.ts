import { Hono } from 'hono'
import { addEditors } from '../documents/lists.ts'
import { publicDocuments } from '../documents/public-lists.ts'
import type { AppEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { answerPreflight, rejectOtherMethods, someTag } from '../http/answers.ts'
import { BOOKMARK_HEADER } from '../http/bookmark.ts'
import { getReads } from '../http/find-document.ts'
import { CLAIM_TOKEN_HEADER, DOCUMENT_TOKEN_HEADER } from '../http/identity.ts'
import { limitListSearches } from '../http/limits.ts'
import { requireExplore } from '../http/readers.ts'
import { documents } from './documents.ts'
import { loadSchemas, type Schemas } from './json-bodies.ts'
import { errorResponse, jsonResponse, success, toListedBodies } from './responses.ts'
import { revisions } from './revisions.ts'
import { users } from './users.ts'

const validPublicQuery: Schemas['validatePublicQuery'] = async (c, next) =>
  (await loadSchemas()).validatePublicQuery(c, next)

/** A document that is deleted must be gone from the next answer. */
const headers = { 'Cache-Control': 'no-cache' }

const publicList = new Hono<AppEnv>().get(
  '/',
  requireExplore,
  limitListSearches,
  validPublicQuery,
  async (c) => {
    const options = { ...c.req.valid('query'), now: c.var.now }
    const reads = getReads(c)
    const [list] = await reads.ask(publicDocuments(options))
    const page = await addEditors(reads, list)
    const body = { documents: toListedBodies(c, page), cursor: page.cursor }
    return jsonResponse(c, success(body), { headers })
  },
)

const preflight = answerPreflight({
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  headers: [
    'Authorization',
    'Content-Type',
    'If-Match',
    'If-None-Match',
    'Idempotency-Key',
    BOOKMARK_HEADER,
    CLAIM_TOKEN_HEADER,
    'X-Document-Password',
    DOCUMENT_TOKEN_HEADER,
  ],
})

const v1 = new Hono<AppEnv>()
  .onError(errorResponse)
  .use(preflight)
  .get('/', (c) =>
    jsonResponse(
      c,
      success({
        message: `Welcome to ${c.var.config.site.name}`,
        name: c.var.config.site.name,
        version: '1',
        documentation: `${c.var.siteUrl}/docs`,
        openapi: `${c.var.siteUrl}/v1/openapi.json`,
      }),
    ),
  )
  .get('/openapi.json', async (c) => {
    const assets: Fetcher | undefined = c.env.ASSETS
    // With a `wrangler.toml` of an earlier release, the Worker can't read it.
    if (!assets) return c.redirect('/assets/openapi.json')
    const file = await assets.fetch(new URL('/assets/openapi.json', c.req.url))
    const { name, tag } = c.var.config.site
    const etag = `"${(file.headers.get('ETag') ?? '').replace(/\W/g, '')}${tag ?? ''}"`
    const description: { readonly info: object } = await file.json()
    const headers = { 'Cache-Control': 'no-cache', ETag: etag }
    if (someTag(c.req.header('If-None-Match') ?? '', (known) => known === etag))
      return jsonResponse(c, null, { status: 304, headers })
    return jsonResponse(c, { ...description, info: { ...description.info, title: name } }, { headers })
  })
  // Old clients use either word.
  .route('/document', documents)
  .route('/documents', documents)
  .route('/document', revisions)
  .route('/documents', revisions)
  .route('/public', publicList)
  .route('/users', users)
  .route('/user', users)

/** Everything under `/v1`, which no route of the site may answer. */
const api = rejectOtherMethods(v1).all('*', () => {
  throw routeNotFound()
})

export const routes = new Hono<AppEnv>().route('/v1', api)
