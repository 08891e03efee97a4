import { publicProfile } from '../accounts/profile.ts'
import { getNamedAddress } from '../documents/document.ts'
import { readExcerpts } from '../documents/excerpts.ts'
import type { ListedDocuments } from '../documents/lists.ts'
import { hasPublicDocuments, publicDocuments } from '../documents/public-lists.ts'
import type { AppContext } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { answer } from '../http/answers.ts'
import { getReads } from '../http/find-document.ts'
import { askSession } from '../http/identity.ts'
import { answered, combine, type Results } from '../platform/database.ts'
import { getDisplayName } from '../shared/derive-title.ts'
import { formatMonth, formatSize } from '../shared/format.ts'
import { LANGUAGES } from '../shared/languages.ts'
import { AccountPicture, Author, getLanguageLabel } from '../ui/facts.tsx'
import { EmptyState, Layout } from '../ui/layout.tsx'
import { previewPage } from '../ui/link-preview.tsx'
import { List, type ListProps, NothingFound, ShortTime, ViewCount } from '../ui/list.tsx'
import { buildPath, EXPLORE_PATH, getProfilePath } from '../ui/page.tsx'
import { readablePage } from '../ui/readable-page.ts'
import {
  answerFeed,
  EXPLORE_FEED_PATH,
  getProfileFeedPath,
  type PublicListState,
  parsePublicListState,
  renderFeed,
} from './feeds.ts'

const PAGE_SIZE = 25
const FEED_SIZE = 50

/** A document that is deleted must be gone from the next answer. Search engines shouldn't show what moves. */
const getListHeaders = ({ search, cursor }: PublicListState) => ({
  'Cache-Control': 'private, no-cache',
  ...((search !== '' || cursor !== undefined) && { 'X-Robots-Tag': 'noindex' }),
})

interface PublicListProps extends Pick<ListProps, 'label' | 'path' | 'empty' | 'filters'> {
  readonly c: AppContext
  readonly listed: ListedDocuments
  readonly state: PublicListState
  readonly excerpts: ReadonlyMap<string, string>
  readonly authors?: boolean
}

const COLUMNS = ['Language', 'Views', 'Size', 'Created'].map((title) => ({ title }))

const PublicList = ({ c, listed, state, excerpts, authors = false, ...list }: PublicListProps) => {
  const { now, store } = c.var
  const rows = listed.documents.map((document) => {
    const { id, contentBytes, createdAt, views } = document
    const cells = [
      getLanguageLabel(document),
      <ViewCount views={store.views.current(id, views)} />,
      formatSize(contentBytes),
      <ShortTime at={createdAt} now={now} />,
    ]
    return {
      id,
      href: `/${getNamedAddress(document) ?? id}`,
      name: getDisplayName(document),
      excerpt: excerpts.get(id),
      cells: authors ? [<Author document={document} />, ...cells] : cells,
    }
  })
  return (
    <List
      {...list}
      search={state.search}
      filtered={state.search !== '' || state.language !== ''}
      getPath={(changes) => buildPath(list.path, { ...state, cursor: undefined, ...changes })}
      columns={authors ? [{ title: 'Author' }, ...COLUMNS] : COLUMNS}
      rows={rows}
      isFirstPage={state.cursor === undefined}
      next={listed.cursor}
      lookedAt={listed.lookedAt}
    />
  )
}

const FeedLink = ({ title, path }: { title: string; path: string }) => (
  <link rel="alternate" type="application/atom+xml" title={title} href={path} />
)

const DESCRIPTION = 'The newest public documents on this server.'

const LanguageFilter = ({ language }: { language: string }) => (
  <select name="language" aria-label="Language">
    <option value="">All languages</option>
    {language !== '' && LANGUAGES.every(({ name }) => name !== language) && (
      <option value={language} selected>
        {getLanguageLabel({ language })}
      </option>
    )}
    {LANGUAGES.map(({ name, label }) => (
      <option value={name} selected={name === language}>
        {label}
      </option>
    ))}
  </select>
)

const NothingToExplore = ({ state: { language, search, cursor } }: { state: PublicListState }) =>
  language === '' && search === '' && cursor === undefined ? (
    <EmptyState icon="globe" title="Nothing here yet">
      <p>Documents appear here when their authors make them public.</p>
      <a class="button" href="/">
        Create a document
      </a>
    </EmptyState>
  ) : (
    <NothingFound title="No public documents found" all={EXPLORE_PATH} />
  )

export async function showExplore(c: AppContext): Promise<Response> {
  const { now, siteUrl, store } = c.var
  const state = parsePublicListState((name) => c.req.query(name))
  const [listed] = await getReads(c).ask(publicDocuments({ ...state, limit: PAGE_SIZE, now }))
  const feedPath = buildPath(EXPLORE_FEED_PATH, { language: state.language })
  const explorePage = (
    <Layout
      title="Explore"
      preview={previewPage('Explore', DESCRIPTION, EXPLORE_PATH)}
      head={
        <>
          <link rel="canonical" href={siteUrl + buildPath(EXPLORE_PATH, { ...state })} />
          <FeedLink title="New public documents" path={feedPath} />
        </>
      }
    >
      <h1>Explore</h1>
      <p>
        {DESCRIPTION} <a href={feedPath}>Follow the feed</a>
      </p>
      <PublicList
        c={c}
        listed={listed}
        state={state}
        excerpts={await readExcerpts(store.contents, listed.documents, now)}
        authors
        label="Public documents"
        path={EXPLORE_PATH}
        filters={<LanguageFilter language={state.language} />}
        empty={<NothingToExplore state={state} />}
      />
    </Layout>
  )
  return readablePage(c, explorePage, { headers: getListHeaders(state) })
}

export async function showExploreFeed(c: AppContext): Promise<Response> {
  const { config, now, siteUrl } = c.var
  const siteName = config.site.name
  const { language, cursor } = parsePublicListState((name) => c.req.query(name))
  const [list] = await getReads(c).ask(publicDocuments({ language, cursor, limit: FEED_SIZE, now }))
  const feed = renderFeed({
    title: `New public documents on ${siteName}`,
    siteName,
    siteUrl,
    path: EXPLORE_FEED_PATH,
    pagePath: EXPLORE_PATH,
    state: { language, search: '', cursor },
    ...list,
  })
  return answerFeed(c, feed)
}

const NothingPublic = ({ path, state: { search, cursor } }: { path: string; state: PublicListState }) =>
  search === '' && cursor === undefined ? (
    <EmptyState icon="globe" title="No public documents yet">
      <p>Only you can see this page until you make a document public.</p>
      <a class="button" href="/">
        Create a document
      </a>
    </EmptyState>
  ) : (
    <NothingFound title="No public documents found" all={path} />
  )

const redirect = (c: AppContext, path: string): Response =>
  answer(c, null, {
    status: 302,
    headers: { Location: path + new URL(c.req.url).search, 'Cache-Control': 'no-cache' },
  })

/**
 * Returns a profile. Until the account has public documents, only the account itself sees it: to others, a profile
 * mustn't tell more than these documents do.
 */
async function requireProfile(
  c: AppContext,
  username: string,
  limit: number,
  { search, cursor }: Pick<PublicListState, 'search' | 'cursor'>,
) {
  const { now, store } = c.var
  const asked = combine(
    publicProfile(username),
    publicDocuments({ author: username, search, cursor, limit, now }),
    // This search or page may have none.
    search === '' && cursor === undefined ? answered(false) : hasPublicDocuments(username),
  )
  const isShown = ([profile, { documents, cursor: more }, hasOthers]: Results<[typeof asked]>[0]): boolean =>
    profile !== null && (documents.length > 0 || more !== null || hasOthers)
  const { user, found } = await askSession(c, asked, getReads(c))
  // A copy of the database may not have a new profile yet.
  const [answer] = isShown(found) || user ? [found] : await store.db.ask(asked)
  const [profile, list] = answer
  const own = user !== null && user.id === profile?.id
  if (!profile || !(isShown(answer) || own)) throw routeNotFound()
  return { profile, list, own, state: { language: '', search, cursor } }
}

export async function showPublicProfile(c: AppContext, asked: string): Promise<Response> {
  const listState = parsePublicListState((name) => c.req.query(name))
  const { profile, list: listed, own, state } = await requireProfile(c, asked, PAGE_SIZE, listState)
  const { username, createdAt } = profile
  const path = getProfilePath(username)
  if (username !== asked) return redirect(c, path)
  const { now, siteUrl, store } = c.var
  const isEmpty = listed.documents.length === 0 && state.cursor === undefined && state.search === ''
  const feedPath = getProfileFeedPath(username)
  const title = `Public documents of ${username}`
  const profilePage = (
    <Layout
      title={username}
      preview={previewPage(username, `${title}.`, path)}
      head={
        <>
          <link rel="canonical" href={siteUrl + path} />
          <FeedLink title={title} path={feedPath} />
        </>
      }
    >
      <div class="row profile">
        <AccountPicture details={profile} />
        <div>
          <h1>{username}</h1>
          <p class="facts-line">
            <span>
              Member since <time datetime={new Date(createdAt).toISOString()}>{formatMonth(createdAt)}</time>
            </span>{' '}
            {!isEmpty && (
              <span>
                <a href={feedPath}>Feed</a>
              </span>
            )}
            {own && (
              <span>
                <a href="/account/profile">Edit profile</a>
              </span>
            )}
          </p>
        </div>
      </div>
      <PublicList
        c={c}
        listed={listed}
        state={state}
        excerpts={await readExcerpts(store.contents, listed.documents, now)}
        label={title}
        path={path}
        empty={<NothingPublic path={path} state={state} />}
      />
    </Layout>
  )
  // Nobody else sees an empty one.
  return readablePage(c, profilePage, {
    headers: isEmpty ? { 'Cache-Control': 'no-store' } : getListHeaders(state),
  })
}

export async function showProfileFeed(c: AppContext, username: string): Promise<Response> {
  const { cursor } = parsePublicListState((name) => c.req.query(name))
  // A search reads more rows than a feed, and has a limit of its own.
  const { profile, list, state } = await requireProfile(c, username, FEED_SIZE, { search: '', cursor })
  if (profile.username !== username) return redirect(c, getProfileFeedPath(profile.username))
  const feed = renderFeed({
    title: `Public documents of ${username}`,
    siteName: c.var.config.site.name,
    siteUrl: c.var.siteUrl,
    path: getProfileFeedPath(username),
    pagePath: getProfilePath(username),
    state,
    ...list,
  })
  return answerFeed(c, feed)
}
