import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { answerErrorText } from '../http/answers.ts'
import { limitListSearches, limitSearches } from '../http/limits.ts'
import { requireExplore } from '../http/request.ts'
import { answerErrorPage } from '../ui/errors.tsx'
import { EXPLORE_PATH } from '../ui/page.tsx'

const loadPages = () => import('./explore.lazy.tsx')

export const explore = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get(EXPLORE_PATH, requireExplore, limitListSearches, async (c) => (await loadPages()).showExplore(c))
  .get('/:handle{@[A-Za-z0-9_-]{3,30}}', requireExplore, limitListSearches, async (c) =>
    (await loadPages()).showPublicProfile(c, c.req.param('handle').slice(1)),
  )

/** Feeds, and the sitemap (sitemaps.org), which reads as many rows as a search. */
export const feeds = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get(`${EXPLORE_PATH}.atom`, requireExplore, async (c) => (await loadPages()).showExploreFeed(c))
  .get('/:feed{@[A-Za-z0-9_-]{3,30}\\.atom}', requireExplore, async (c) =>
    (await loadPages()).showProfileFeed(c, c.req.param('feed').slice(1, -'.atom'.length)),
  )
  .get('/sitemap.xml', limitSearches, async (c) => (await import('./sitemap.lazy.ts')).showSitemap(c))
