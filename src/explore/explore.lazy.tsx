import { type PublicProfile, publicProfile } from '../accounts/profile.ts'
import type { Document } from '../documents/document.ts'
import type { ListedDocuments } from '../documents/lists.ts'
import { publicDocuments, publicLanguages } from '../documents/public-lists.lazy.ts'
import type { AppContext } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { answer } from '../http/answers.ts'
import { getReads } from '../http/find-document.ts'
import { askAlongside } from '../http/identity.ts'
import { combine } from '../platform/database.ts'
import { previewPage } from '../previews/link-preview.tsx'
import { formatMonth } from '../shared/format.ts'
import { LANGUAGES } from '../shared/languages.ts'
import { EmptyState } from '../site/components/empty-state.tsx'
import { AccountPicture, getLanguageLabel } from '../site/components/facts.tsx'
import { Layout } from '../site/layout/layout.tsx'
import { EXPLORE_PATH, getProfilePath, page, useFrame } from '../site/layout/page.tsx'
import { DocumentTable, getColumns, SearchField } from '../site/lists/document-table.tsx'
import {
  answerFeed,
  buildPublicListPath,
  EXPLORE_FEED_PATH,
  getProfileFeedPath,
  type PublicListState,
  parsePublicListState,
  renderFeed,
} from './feeds.ts'

const PAGE_SIZE = 25
const FEED_SIZE = 50

const getViews =
  ({ var: { store } }: AppContext) =>
  ({ id, views }: Document): number =>
    store.views.current(id, views)

/** A document that is deleted must be gone from the next answer. Search engines shouldn't show what moves. */
const getListHeaders = ({ search, cursor }: PublicListState) => ({
  'Cache-Control': 'private, no-cache',
  ...((search !== '' || cursor !== undefined) && { 'X-Robots-Tag': 'noindex' }),
})

interface PublicListProps {
  readonly documents: readonly Document[]
  readonly getViews: (document: Document) => number
  readonly now: number
  readonly authors: boolean
}

const PublicList = ({ documents, authors, ...options }: PublicListProps) => {
  const { author, language, size, views, created } = getColumns(options)
  const columns = [language, size, views, created]
  return (
    <DocumentTable documents={documents} columns={authors ? [author, ...columns] : columns} marked={false} />
  )
}

interface PublicPageLinksProps {
  readonly path: string
  readonly state: PublicListState
  readonly next: string | null
}

const PublicPageLinks = ({ path, state, next }: PublicPageLinksProps) =>
  state.cursor === undefined && next === null ? null : (
    <nav aria-label="Pages" class="actions">
      {state.cursor !== undefined && (
        <a href={buildPublicListPath(path, { ...state, cursor: undefined })}>Newest</a>
      )}
      {next !== null && (
        <a href={buildPublicListPath(path, { ...state, cursor: next })} rel="next">
          Older
        </a>
      )}
    </nav>
  )

const FeedLink = ({ title, path }: { title: string; path: string }) => (
  <link rel="alternate" type="application/atom+xml" title={title} href={path} />
)

const DESCRIPTION = 'The newest public documents on this server.'

interface ExplorePageProps extends ListedDocuments {
  readonly state: PublicListState
  readonly languages: readonly string[]
  readonly getViews: (document: ListedDocuments['documents'][number]) => number
  readonly now: number
  readonly signedIn: boolean
}

type FilterFormProps = Pick<ExplorePageProps, 'state' | 'languages'>

/** Results start at the first page. */
const FilterForm = ({ state: { language, search }, languages }: FilterFormProps) => (
  <search>
    <form method="get" action={EXPLORE_PATH} class="list-form">
      <SearchField value={search} />
      <select name="language" aria-label="Language">
        <option value="">All languages</option>
        {language !== '' && !languages.includes(language) && (
          <option value={language} selected>
            {getLanguageLabel({ language })}
          </option>
        )}
        {LANGUAGES.filter(({ name }) => languages.includes(name)).map(({ name, label }) => (
          <option value={name} selected={name === language}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" class="quiet">
        Apply
      </button>
    </form>
  </search>
)

const NothingFound = ({ state: { language, search, cursor } }: Pick<ExplorePageProps, 'state'>) =>
  language === '' && search === '' && cursor === undefined ? (
    <EmptyState icon="globe" title="Nothing here yet">
      <p>Documents appear here when their authors make them public.</p>
      <a class="button" href="/">
        Create a document
      </a>
    </EmptyState>
  ) : (
    <EmptyState icon="search" title="No public documents found">
      <p>Search looks at titles, not at text.</p>
      <a class="button quiet" href={EXPLORE_PATH}>
        Show all
      </a>
    </EmptyState>
  )

const ExplorePage = ({ state, languages, documents, cursor, getViews, now, signedIn }: ExplorePageProps) => {
  const { language, search } = state
  const feedPath = buildPublicListPath(EXPLORE_FEED_PATH, { language })
  const filtered = language !== '' || search !== ''
  const { siteUrl } = useFrame()
  return (
    <Layout
      title="Explore"
      signedIn={signedIn}
      preview={previewPage('Explore', DESCRIPTION, EXPLORE_PATH)}
      head={
        <>
          <link rel="canonical" href={siteUrl + buildPublicListPath(EXPLORE_PATH, state)} />
          <FeedLink title="New public documents" path={feedPath} />
        </>
      }
    >
      <h1>Explore</h1>
      <p>
        {DESCRIPTION} <a href={feedPath}>Follow the feed</a>
      </p>
      {(documents.length > 0 || filtered) && <FilterForm state={state} languages={languages} />}
      {documents.length === 0 ? (
        <NothingFound state={state} />
      ) : (
        <PublicList documents={documents} getViews={getViews} now={now} authors />
      )}
      <PublicPageLinks path={EXPLORE_PATH} state={state} next={cursor} />
    </Layout>
  )
}

const LANGUAGE_NAMES = LANGUAGES.map(({ name }) => name)

export async function showExplore(c: AppContext): Promise<Response> {
  const { hasSessionCookie, now } = c.var
  const state = parsePublicListState((name) => c.req.query(name))
  const [list, languages] = await getReads(c).ask(
    publicDocuments({ ...state, limit: PAGE_SIZE, now }),
    publicLanguages(LANGUAGE_NAMES, now),
  )
  const props = { state, languages, now, getViews: getViews(c), signedIn: hasSessionCookie }
  return page(c, <ExplorePage {...list} {...props} />, { headers: getListHeaders(state) })
}

export async function showExploreFeed(c: AppContext): Promise<Response> {
  const { now, siteUrl } = c.var
  const { language, cursor } = parsePublicListState((name) => c.req.query(name))
  const [list] = await getReads(c).ask(publicDocuments({ language, cursor, limit: FEED_SIZE, now }))
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

interface ProfilePageProps extends ListedDocuments {
  readonly profile: PublicProfile
  readonly own: boolean
  readonly state: PublicListState
  readonly getViews: (document: ListedDocuments['documents'][number]) => number
  readonly now: number
  readonly signedIn: boolean
}

const ProfilePage = ({
  profile,
  own,
  state,
  documents,
  cursor,
  getViews,
  now,
  signedIn,
}: ProfilePageProps) => {
  const { username } = profile
  const path = getProfilePath(username)
  const feedPath = getProfileFeedPath(username)
  return (
    <Layout
      title={username}
      signedIn={signedIn}
      preview={previewPage(username, `Public documents of ${username}.`, path)}
      head={
        <>
          <link rel="canonical" href={useFrame().siteUrl + path} />
          <FeedLink title={`Public documents of ${username}`} path={feedPath} />
        </>
      }
    >
      <div class="profile">
        <AccountPicture details={profile} />
        <div>
          <h1>{username}</h1>
          <p class="profile-facts">
            <span>
              Member since{' '}
              <time datetime={new Date(profile.createdAt).toISOString()}>
                {formatMonth(profile.createdAt)}
              </time>
            </span>
            {documents.length > 0 && <a href={feedPath}>Feed</a>}
            {own && <a href="/account/profile">Edit profile</a>}
          </p>
        </div>
      </div>
      {documents.length === 0 ? (
        <EmptyState icon="globe" title="No public documents yet">
          <p>Only you can see this page until you make a document public.</p>
          <a class="button" href="/">
            Create a document
          </a>
        </EmptyState>
      ) : (
        <PublicList documents={documents} getViews={getViews} now={now} authors={false} />
      )}
      <PublicPageLinks path={path} state={state} next={cursor} />
    </Layout>
  )
}

const redirect = (c: AppContext, path: string): Response =>
  answer(c, null, {
    status: 302,
    headers: { Location: path + new URL(c.req.url).search, 'Cache-Control': 'no-cache' },
  })

/** Until it has public documents, only the account itself sees it: it mustn't tell more than these do. */
async function requireProfile(c: AppContext, username: string, limit: number) {
  const { now, store } = c.var
  const { cursor } = parsePublicListState((name) => c.req.query(name))
  const asked = combine(publicProfile(username), publicDocuments({ author: username, cursor, limit, now }))
  const { user, found } = await askAlongside(c, asked, { as: 'session', from: getReads(c) })
  // A copy of the database may not have a new profile yet.
  const isMissing = found[0] === null || found[1].documents.length === 0
  const [[profile, list]] = isMissing && !user ? await store.db.ask(asked) : [found]
  const own = user !== null && user.id === profile?.id
  if (!profile || (list.documents.length === 0 && !own)) throw routeNotFound()
  return { profile, list, own, state: { language: '', search: '', cursor } }
}

export async function showPublicProfile(c: AppContext, username: string): Promise<Response> {
  const { profile, list, own, state } = await requireProfile(c, username, PAGE_SIZE)
  if (profile.username !== username) return redirect(c, getProfilePath(profile.username))
  const { hasSessionCookie, now } = c.var
  const props = { profile, own, state, now, getViews: getViews(c), signedIn: hasSessionCookie }
  return page(c, <ProfilePage {...list} {...props} />, {
    // Nobody else sees an empty one.
    headers: list.documents.length === 0 ? { 'Cache-Control': 'no-store' } : getListHeaders(state),
  })
}

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
