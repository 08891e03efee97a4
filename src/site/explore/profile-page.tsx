import type { PublicProfile } from '../../accounts/profile/profile-page.ts'
import type { ListedDocuments } from '../../documents/list.ts'
import { formatMonth } from '../../shared/format.ts'
import { AccountPicture } from '../account/account-picture.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Layout } from '../layout/layout.tsx'
import { useFrame } from '../layout/page-frame.ts'
import { getProfilePath } from '../layout/paths.ts'
import { previewPage } from '../previews/link-preview.ts'
import { getProfileFeedPath } from './feed-paths.ts'
import type { PublicListState } from './list-state.ts'
import { FeedLink, PublicList, PublicPageLinks } from './public-list.tsx'

interface ProfilePageProps extends ListedDocuments {
  readonly profile: PublicProfile
  /** Whether the profile is the viewer's own. */
  readonly own: boolean
  readonly state: PublicListState
  readonly getViews: (document: ListedDocuments['documents'][number]) => number
  readonly now: number
  readonly signedIn: boolean
}

/** Shows an account to everyone, with its public documents. */
export const ProfilePage = ({
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
