import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { answerErrorText, rejectOtherMethods } from '../http/answers.ts'
import { limitListSearches, limitSearches } from '../http/limits.ts'
import { requireExplore } from '../http/readers.ts'
import { answerErrorPage } from '../ui/errors.tsx'
import { EXPLORE_PATH } from '../ui/page.tsx'
import { showExplore, showExploreFeed, showProfileFeed, showPublicProfile } from './explore-pages.tsx'
import { showSitemap } from './sitemap.ts'

const explore = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get(EXPLORE_PATH, requireExplore, limitListSearches, showExplore)
  .get('/:handle{@[A-Za-z0-9_-]{3,30}}', requireExplore, limitListSearches, (c) =>
    showPublicProfile(c, c.req.param('handle').slice(1)),
  )

/** Feeds, and the sitemap (sitemaps.org), which reads as many rows as a search. */
const feeds = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get(`${EXPLORE_PATH}.atom`, requireExplore, showExploreFeed)
  .get('/:feed{@[A-Za-z0-9_-]{3,30}\\.atom}', requireExplore, (c) =>
    showProfileFeed(c, c.req.param('feed').slice(1, -'.atom'.length)),
  )
  .get('/sitemap.xml', limitSearches, showSitemap)

export const routes = new Hono<AppEnv>()
  .route('/', rejectOtherMethods(explore))
  .route('/', rejectOtherMethods(feeds))
