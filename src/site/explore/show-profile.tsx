import { findProfilePage } from '../../accounts/profile/profile-page.ts'
import { listPublicDocuments } from '../../documents/list-public.ts'
import type { AppContext } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { getReads } from '../../http/nearest-copy.ts'
import { answer } from '../layout/answer.ts'
import { page } from '../layout/page.tsx'
import { getProfilePath } from '../layout/paths.ts'
import { answerFeed } from './answer-xml.ts'
import { renderFeed } from './feed.ts'
import { getProfileFeedPath } from './feed-paths.ts'
import { FEED_SIZE, getListHeaders, getViews, PAGE_SIZE } from './list-answer.ts'
import { parsePublicListState } from './list-state.ts'
import { ProfilePage } from './profile-page.tsx'

/** Redirects to another path, with the same query. */
const redirect = (c: AppContext, path: string): Response =>
  answer(c, null, {
    status: 302,
    headers: { Location: path + new URL(c.req.url).search, 'Cache-Control': 'no-cache' },
  })

/**
 * Returns a profile with a page of its public documents.
 *
 * A profile exists only while it has public documents: it mustn't tell more about an account than these do. Only the
 * account itself sees it earlier.
 *
 * @throws AppError `not_found`
 */
async function requireProfile(c: AppContext, username: string, limit: number) {
  const { hasSessionCookie, identity, now } = c.var
  const reads = getReads(c)
  const { cursor } = parsePublicListState((name) => c.req.query(name))
  const [profile, list, user] = await Promise.all([
    findProfilePage(reads, username),
    listPublicDocuments(reads, { author: username, cursor, limit, now }),
    hasSessionCookie ? identity.session() : null,
  ])
  const own = user !== null && user.id === profile?.id
  if (!profile || (list.documents.length === 0 && !own)) throw routeNotFound()
  return { profile, list, own, state: { language: '', search: '', cursor } }
}

/** Answers the profile of an account, or redirects to the spelling of its username. */
export async function showProfile(c: AppContext, username: string): Promise<Response> {
  const { profile, list, own, state } = await requireProfile(c, username, PAGE_SIZE)
  if (profile.username !== username) return redirect(c, getProfilePath(profile.username))
  const { hasSessionCookie, now } = c.var
  const props = { profile, own, state, now, getViews: getViews(c), signedIn: hasSessionCookie }
  return page(c, <ProfilePage {...list} {...props} />, {
    // Nobody else sees an empty one.
    headers: list.documents.length === 0 ? { 'Cache-Control': 'no-store' } : getListHeaders(state),
  })
}

/** Answers the feed of an account's public documents. */
export async function showProfileFeed(c: AppContext, username: string): Promise<Response> {
  const { profile, list, state } = await requireProfile(c, username, FEED_SIZE)
  if (profile.username !== username) return redirect(c, getProfileFeedPath(profile.username))
  const feed = renderFeed({
    title: `Public documents of ${username}`,
    siteUrl: c.var.siteUrl,
    path: getProfileFeedPath(username),
    pagePath: getProfilePath(username),
    state,
    ...list,
  })
  return answerFeed(c, feed)
}
