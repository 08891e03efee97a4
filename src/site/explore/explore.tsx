import { Hono } from 'hono'
import { findProfilePage } from '../../accounts/profile/profile-page.ts'
import { listPublicDocuments, listPublicLanguages } from '../../documents/list-public.ts'
import type { Document } from '../../documents/model/document.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { answerErrorText } from '../../http/answers/error-text.ts'
import { limitListSearches } from '../../http/limits/limit-requests.ts'
import { requireExplore } from '../../http/require-explore.ts'
import { LANGUAGES } from '../../shared/languages/languages.ts'
import { answer } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { page } from '../layout/page.tsx'
import { EXPLORE_PATH, getProfilePath } from '../layout/paths.ts'
import { EXPLORE_FEED_PATH, getProfileFeedPath } from './feed-paths.ts'
import { parsePublicListState } from './list-state.ts'

/** Loads the pages when someone opens one: reading a document needs none of them. */
const loadPages = () => import('./pages.ts')

const PAGE_SIZE = 25
const FEED_SIZE = 50

const LANGUAGE_NAMES = LANGUAGES.map(({ name }) => name)

const getViews =
  ({ var: { store } }: AppContext) =>
  ({ id, views }: Document): number =>
    store.views.current(id, views)

/** A document that is deleted must be gone from the next answer. Search results are no pages of their own. */
const getHeaders = ({ search, cursor }: { search: string; cursor: string | undefined }) => ({
  'Cache-Control': 'private, no-cache',
  ...((search !== '' || cursor !== undefined) && { 'X-Robots-Tag': 'noindex' }),
})

/** Returns the path of this request with another start, and the same query. */
const withQuery = (c: AppContext, path: string): string => path + new URL(c.req.url).search

const redirect = (c: AppContext, path: string): Response =>
  answer(c, null, { status: 302, headers: { Location: withQuery(c, path), 'Cache-Control': 'no-cache' } })

/**
 * Returns a profile with a page of its public documents.
 *
 * A profile exists only while it has public documents: it mustn't tell more about an account than these do. Only the
 * account itself sees it earlier.
 *
 * @throws AppError `not_found`
 */
async function requireProfile(c: AppContext, username: string, limit: number) {
  const { hasSessionCookie, identity, now, store } = c.var
  const { cursor } = parsePublicListState((name) => c.req.query(name))
  const [profile, list, user] = await Promise.all([
    findProfilePage(store.db, username),
    listPublicDocuments(store, { author: username, cursor, limit, now }),
    hasSessionCookie ? identity.session() : null,
  ])
  const own = user !== null && user.id === profile?.id
  if (!profile || (list.documents.length === 0 && !own)) throw routeNotFound()
  return { profile, list, own, cursor }
}

/** The pages that list public documents. */
export const explore = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get(EXPLORE_PATH, requireExplore, limitListSearches, async (c) => {
    const { hasSessionCookie, now, store } = c.var
    const state = parsePublicListState((name) => c.req.query(name))
    const [list, languages] = await Promise.all([
      listPublicDocuments(store, { ...state, limit: PAGE_SIZE, now }),
      listPublicLanguages(store, LANGUAGE_NAMES, now),
    ])
    const { ExplorePage } = await loadPages()
    const props = { state, languages, now, getViews: getViews(c), signedIn: hasSessionCookie }
    return page(c, <ExplorePage {...list} {...props} />, { headers: getHeaders(state) })
  })
  .get('/:handle{@[A-Za-z0-9_-]{3,30}}', requireExplore, async (c) => {
    const username = c.req.param('handle').slice(1)
    const { profile, list, own, cursor } = await requireProfile(c, username, PAGE_SIZE)
    if (profile.username !== username) return redirect(c, getProfilePath(profile.username))
    const { ProfilePage } = await loadPages()
    const state = { language: '', search: '', cursor }
    const { hasSessionCookie, now } = c.var
    const props = { profile, own, state, now, getViews: getViews(c), signedIn: hasSessionCookie }
    return page(c, <ProfilePage {...list} {...props} />, {
      // Nobody else sees it yet.
      headers: list.documents.length === 0 ? { 'Cache-Control': 'no-store' } : getHeaders(state),
    })
  })

/** The feeds of the same documents. */
export const feeds = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get(EXPLORE_FEED_PATH, requireExplore, async (c) => {
    const { now, siteUrl, store } = c.var
    const { language, cursor } = parsePublicListState((name) => c.req.query(name))
    const list = await listPublicDocuments(store, { language, cursor, limit: FEED_SIZE, now })
    const { answerFeed, renderFeed } = await loadPages()
    const feed = renderFeed({
      title: 'New public documents on Regent',
      siteUrl,
      path: EXPLORE_FEED_PATH,
      pagePath: EXPLORE_PATH,
      state: { language, search: '', cursor },
      ...list,
    })
    return answerFeed(c, feed)
  })
  .get('/:feed{@[A-Za-z0-9_-]{3,30}\\.atom}', requireExplore, async (c) => {
    const username = c.req.param('feed').slice(1, -'.atom'.length)
    const { profile, list, cursor } = await requireProfile(c, username, FEED_SIZE)
    if (profile.username !== username) return redirect(c, getProfileFeedPath(profile.username))
    const { answerFeed, renderFeed } = await loadPages()
    const feed = renderFeed({
      title: `Public documents of ${username}`,
      siteUrl: c.var.siteUrl,
      path: getProfileFeedPath(username),
      pagePath: getProfilePath(username),
      state: { language: '', search: '', cursor },
      ...list,
    })
    return answerFeed(c, feed)
  })
