import { type ErrorHandler, Hono, type MiddlewareHandler } from 'hono'
import type { AppEnv } from './env.ts'
import { routeNotFound } from './errors.ts'
import { answerHealth } from './health/health.ts'
import { answer, answerErrorText, wantsJson, wantsText } from './http/answers.ts'
import { refuseWritesIfReadOnly, setUpRequest } from './http/context.ts'
import { redirectToId } from './http/find-document.ts'
import { identify } from './http/identity.ts'
import { limitRequests } from './http/limits.ts'
import { findMeantAddress, isApi, isEmbed, isRawText, ROUTING } from './http/paths.ts'
import { requireReader } from './http/readers.ts'
import { answerByTopic, type Topic } from './http/topics.ts'
import { unpackBody } from './http/unpack.ts'
import { answerHasteError, documentTexts, isHaste, plainText } from './plain-text/index.ts'
import { documentSite, site } from './site/index.ts'
import { answerErrorPage } from './ui/errors.tsx'

const API: Topic = { paths: ['/v1/*'], load: () => import('./api/index.ts') }

/**
 * The routes that no reader of a document needs, which are loaded on demand. An id could be any word, so a path that
 * starts with one is listed by what follows it.
 */
const TOPICS: readonly Topic[] = [
  { paths: ['/', '/share'], load: () => import('./site/home/home.tsx') },
  {
    paths: [
      '/about',
      '/abuse',
      '/privacy',
      '/terms',
      '/docs',
      '/api',
      '/robots.txt',
      '/.well-known/security.txt',
    ],
    load: () => import('./site/about/about.tsx'),
  },
  {
    paths: ['/explore', '/explore.atom', '/sitemap.xml', '/:profile{@[^%]+}'],
    load: () => import('./explore/explore.ts'),
  },
  { paths: ['/sign-in/*', '/sign-up/*', '/sign-out'], load: () => import('./site/sign-in/sign-in.tsx') },
  { paths: ['/account/*', '/icons/*'], load: () => import('./site/account/account.tsx') },
  { paths: ['/moderation/*', '/:id/report/*'], load: () => import('./moderation/moderation.ts') },
  { paths: ['/device/*', '/:id/manage'], load: () => import('./device/device.tsx') },
  { paths: ['/oembed', '/:id/embed/*'], load: () => import('./embed/embed.tsx') },
  { paths: ['/mcp'], load: () => import('./mcp/mcp.ts') },
  { paths: ['/site/style.css', '/site/manifest.webmanifest'], load: () => import('./site/face.ts') },
  { paths: ['/:id/preview.png'], load: () => import('./previews/pictures.ts') },
  { paths: ['/:id/edit', '/:id/editors/*'], load: () => import('./site/editing/edit.tsx') },
  { paths: ['/:id/history/*'], load: () => import('./history/history.ts') },
]

/** The pages whose forms and scripts need the id of a document. By its name, they lead there. */
const PAGES_BY_ID = ['report/*', 'manage', 'edit', 'editors/*', 'history/*'].map(
  (page) => `/:id{(?:@|%40)[^/]+}/${page}`,
)

const topics = new Hono<AppEnv>().on(['ALL'], PAGES_BY_ID, redirectToId)
for (const topic of TOPICS) topics.on(['ALL'], [...topic.paths], answerByTopic(topic))

/** Answers errors from outside the front ends' handlers, such as an invalid variable. */
const answerAnyError: ErrorHandler<AppEnv> = async (error, c) => {
  if (isApi(c.req)) {
    const { errorResponse } = await import('./api/responses.ts')
    return errorResponse(error, c)
  }
  if (isRawText(c.req)) {
    c.set('allowsAnyOrigin', true)
    return answerErrorText(error, c)
  }
  if (isHaste(c)) return answerHasteError(error, c)
  if (isEmbed(c.req)) {
    const { answerFramedError } = await import('./embed/embed-page.tsx')
    return answerFramedError(error, c)
  }
  if (wantsJson(c)) {
    const { answerJsonError } = await import('./site/home/home.tsx')
    return answerJsonError(error, c)
  }
  return wantsText(c) ? answerErrorText(error, c) : answerErrorPage(error, c)
}

/** Unpacks compressed bodies, and redirects altered addresses to what was meant. */
const normalizeRequest: MiddlewareHandler<AppEnv> = async (c, next) => {
  unpackBody(c)
  const location = findMeantAddress(c.req)
  if (location === null) return next()
  return answer(c, null, { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' } })
}

// In this order. Of two routes that match, the first answers.
export const app = new Hono<AppEnv>(ROUTING)
  // Comes first, so that it answers even if everything after it is broken.
  .get('/health', answerHealth)
  // Sets what everything below uses, and logs the answer, whoever gives it.
  .use(setUpRequest)
  // Before anything looks at the path or the body.
  .use(normalizeRequest)
  // Only prepares the lookup, which limits and readers may need.
  .use(identify)
  // Forms that only read pass.
  .use(refuseWritesIfReadOnly)
  // Before the first query, which the next one may make.
  .use(limitRequests)
  .use(requireReader)
  // Before the files that programs put: a name such as `v1` isn't one.
  .on(['ALL'], [...API.paths], answerByTopic(API))
  // Before the pages at the same addresses: it passes on what a browser asks for.
  .route('/', plainText)
  // Before the topics: `/r/edit` and `/p/edit` are about a document, and match `/:id/edit`.
  .route('/', site)
  // Before the documents: a word such as `about` could be an id.
  .route('/', topics)
  // Before their pages: it passes on what a browser asks for.
  .route('/', documentTexts)
  .route('/', documentSite)
  .notFound((c) => answerAnyError(routeNotFound(), c))
  .onError(answerAnyError)

/** Loads every topic, and returns each method and path that the app answers. */
export async function listRoutes(): Promise<readonly { readonly method: string; readonly path: string }[]> {
  const all = [API, ...TOPICS]
  const loaded = await Promise.all(all.map(({ load }) => load()))
  const patterns = new Set([...PAGES_BY_ID, ...all.flatMap(({ paths }) => paths)])
  const own = app.routes.filter(({ method, path }) => method !== 'ALL' || !patterns.has(path))
  return [...own, ...loaded.flatMap(({ routes }) => routes.routes)].map(({ method, path }) => ({
    method,
    path,
  }))
}
