import { listPublicDocuments, listPublicLanguages } from '../../documents/list-public.ts'
import type { AppContext } from '../../env.ts'
import { getReads } from '../../http/nearest-copy.ts'
import { LANGUAGES } from '../../shared/languages/languages.ts'
import { page } from '../layout/page.tsx'
import { EXPLORE_PATH } from '../layout/paths.ts'
import { answerFeed } from './answer-xml.ts'
import { ExplorePage } from './explore-page.tsx'
import { renderFeed } from './feed.ts'
import { EXPLORE_FEED_PATH } from './feed-paths.ts'
import { FEED_SIZE, getListHeaders, getViews, PAGE_SIZE } from './list-answer.ts'
import { parsePublicListState } from './list-state.ts'

const LANGUAGE_NAMES = LANGUAGES.map(({ name }) => name)

/** Answers the page with the public documents of all accounts. */
export async function showExplore(c: AppContext): Promise<Response> {
  const { hasSessionCookie, now } = c.var
  const reads = getReads(c)
  const state = parsePublicListState((name) => c.req.query(name))
  const [list, languages] = await Promise.all([
    listPublicDocuments(reads, { ...state, limit: PAGE_SIZE, now }),
    listPublicLanguages(reads, LANGUAGE_NAMES, now),
  ])
  const props = { state, languages, now, getViews: getViews(c), signedIn: hasSessionCookie }
  return page(c, <ExplorePage {...list} {...props} />, { headers: getListHeaders(state) })
}

/** Answers the feed of the same documents. */
export async function showExploreFeed(c: AppContext): Promise<Response> {
  const { now, siteUrl } = c.var
  const { language, cursor } = parsePublicListState((name) => c.req.query(name))
  const list = await listPublicDocuments(getReads(c), { language, cursor, limit: FEED_SIZE, now })
  const feed = renderFeed({
    title: 'New public documents on Regent',
    siteUrl,
    path: EXPLORE_FEED_PATH,
    pagePath: EXPLORE_PATH,
    state: { language, search: '', cursor },
    ...list,
  })
  return answerFeed(c, feed)
}
