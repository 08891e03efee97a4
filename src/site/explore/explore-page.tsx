import type { ListedDocuments } from '../../documents/list.ts'
import { MAX_SEARCH_CHARACTERS } from '../../documents/list.ts'
import { LANGUAGES } from '../../shared/languages/languages.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { getLanguageLabel } from '../components/facts.tsx'
import { Icon } from '../components/icon.tsx'
import { Layout } from '../layout/layout.tsx'
import { useFrame } from '../layout/page-frame.ts'
import { EXPLORE_PATH } from '../layout/paths.ts'
import { previewPage } from '../previews/link-preview.ts'
import { EXPLORE_FEED_PATH } from './feed-paths.ts'
import { buildPublicListPath, type PublicListState } from './list-state.ts'
import { FeedLink, PublicList, PublicPageLinks } from './public-list.tsx'

const DESCRIPTION = 'The newest public documents on this server.'

interface ExplorePageProps extends ListedDocuments {
  readonly state: PublicListState
  /** The languages that public documents have. */
  readonly languages: readonly string[]
  readonly getViews: (document: ListedDocuments['documents'][number]) => number
  readonly now: number
  readonly signedIn: boolean
}

type FilterFormProps = Pick<ExplorePageProps, 'state' | 'languages'>

/** The form that filters and searches. Its results start at the first page. */
const FilterForm = ({ state: { language, search }, languages }: FilterFormProps) => (
  <search>
    <form method="get" action={EXPLORE_PATH} class="list-form">
      <div class="search-field">
        <Icon name="search" />
        <input
          type="search"
          name="search"
          value={search}
          maxlength={MAX_SEARCH_CHARACTERS}
          autocomplete="off"
          aria-label="Search titles"
          placeholder="Search titles"
        />
      </div>
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

/** Lists the public documents of all accounts, newest first. */
export const ExplorePage = ({
  state,
  languages,
  documents,
  cursor,
  getViews,
  now,
  signedIn,
}: ExplorePageProps) => {
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
