import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Document } from '../documents/document.ts'
import type { Revision } from '../documents/revisions.lazy.ts'
import type { ComparisonResult } from '../shared/compare/compare-texts.ts'
import { type Markup, renderResult } from '../shared/compare/markup.ts'
import { escapeVerbatim } from '../shared/escape.ts'
import { formatAge } from '../shared/format.ts'
import { HISTORY_STYLES, SCRIPTS } from '../site/assets.generated.ts'
import { getLanguageLabel, Time } from '../site/components/facts.tsx'
import { Problem } from '../site/layout/errors.tsx'
import { Layout } from '../site/layout/layout.tsx'
import {
  EncryptedVersions,
  getAuthorName,
  getComparePath,
  getDocumentName,
  getHistoryPath,
  getVersionPath,
  RestoreForm,
  VERSION_STYLES,
} from './history-parts.tsx'

function writeMarkup(markup: Markup): string {
  if (typeof markup === 'string') return escapeVerbatim(markup)
  const { tag, class: className, hidden, children } = markup
  const attributes = `${className === undefined ? '' : ` class="${className}"`}${hidden ? ' aria-hidden="true"' : ''}`
  return `<${tag}${attributes}>${children.map(writeMarkup).join('')}</${tag}>`
}

export type CompareView = 'side' | 'unified'

interface ComparedProps {
  readonly document: Document
  readonly revisions: readonly Revision[]
  readonly from: Revision
  readonly to: Revision
  /** Null if the page's width decides. */
  readonly view: CompareView | null
  readonly now: number
  readonly signedIn: boolean
}

interface VersionSelectProps extends ComparedProps {
  readonly name: 'from' | 'to'
  readonly label: string
}

const VersionSelect = ({ name, label, document, revisions, now, ...chosen }: VersionSelectProps) => (
  <p class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {revisions.map((revision) => (
        <option value={revision.number} selected={revision.number === chosen[name].number}>
          Version {revision.number}
          {revision.current && ' (current)'}, {getAuthorName(document, revision)},{' '}
          {formatAge(revision.createdAt, now)}
        </option>
      ))}
    </select>
  </p>
)

const VIEWS = { side: 'Side by side', unified: 'Unified' } as const

/** Narrow windows always show the unified view, so they don't offer a choice. */
const ViewChoice = ({ document, from, to, view }: ComparedProps) => (
  <nav class="compare-views" aria-label="View">
    {(['side', 'unified'] as const).map((name) => (
      <a
        href={`${getComparePath(document.id, from.number, to.number)}&view=${name}`}
        aria-current={name === (view ?? 'side') ? 'true' : undefined}
      >
        {VIEWS[name]}
      </a>
    ))}
  </nav>
)

const CompareFrame = ({ children, ...props }: ComparedProps & { readonly children: Child }) => {
  const { document, from, to, view } = props
  return (
    <>
      <h1>Compare versions</h1>
      <p class="history-of">
        <a href={`/${document.id}`}>
          <bdi>{getDocumentName(document)}</bdi>
        </a>
        {' · '}
        <a href={getHistoryPath(document.id)}>All versions</a>
      </p>
      <form action={`${getHistoryPath(document.id)}/compare`} class="compare-form">
        <VersionSelect {...props} name="from" label="From" />
        <VersionSelect {...props} name="to" label="To" />
        {view !== null && <input type="hidden" name="view" value={view} />}
        <button type="submit" class="quiet">
          Compare
        </button>
      </form>
      {from.language !== to.language && (
        <p class="hint">
          Language: {getLanguageLabel(from)} → {getLanguageLabel(to)}
        </p>
      )}
      {children}
      <p class="actions">
        <a href={getVersionPath(document.id, from.number)}>Show version {from.number}</a>
        {from.number !== to.number && (
          <a href={getVersionPath(document.id, to.number)}>Show version {to.number}</a>
        )}
      </p>
    </>
  )
}

const Differences = ({ result, view }: { result: ComparisonResult; view: CompareView | null }) => (
  <section aria-label="Differences" class={view === 'unified' ? 'differences unified' : 'differences'}>
    {raw(renderResult(result).map(writeMarkup).join(''))}
  </section>
)

export const ComparePage = ({ result, ...props }: ComparedProps & { readonly result: ComparisonResult }) => (
  <Layout
    title={`Compare versions of ${getDocumentName(props.document)}`}
    signedIn={props.signedIn}
    styles={[HISTORY_STYLES]}
  >
    <CompareFrame {...props}>
      <ViewChoice {...props} />
      <Differences result={result} view={props.view} />
    </CompareFrame>
  </Layout>
)

interface EncryptedComparePageProps extends ComparedProps {
  readonly fromJwe: string
  readonly toJwe: string
}

export const EncryptedComparePage = ({ fromJwe, toJwe, ...props }: EncryptedComparePageProps) => (
  <Layout
    title={`Compare versions of ${props.document.id}`}
    signedIn={props.signedIn}
    styles={VERSION_STYLES}
    scripts={[SCRIPTS.history]}
  >
    <CompareFrame {...props}>
      <EncryptedVersions
        versions={[
          { number: props.from.number, jwe: fromJwe },
          { number: props.to.number, jwe: toJwe },
        ]}
        button="Compare"
      />
      <template id="decrypted-comparison">
        <ViewChoice {...props} />
        <section
          aria-label="Differences"
          class={props.view === 'unified' ? 'differences unified' : 'differences'}
        />
      </template>
    </CompareFrame>
  </Layout>
)

interface RestoreConflictPageProps {
  readonly document: Document
  readonly current: Revision
  readonly revision: Revision
  readonly version: string
  readonly result: ComparisonResult | null
  readonly signedIn: boolean
}

export const RestoreConflictPage = ({
  document,
  current,
  revision,
  version,
  result,
  signedIn,
}: RestoreConflictPageProps) => (
  <Layout
    title="This document has changed"
    signedIn={signedIn}
    styles={[HISTORY_STYLES]}
    scripts={[SCRIPTS.submitOnce]}
  >
    <h1>This document has changed</h1>
    <Problem>
      Nothing was restored. {getAuthorName(document, current)} saved the document on{' '}
      <Time at={document.updatedAt} />, after you opened the page.
    </Problem>
    {result !== null && (
      <>
        <h2>What restoring version {revision.number} would change</h2>
        <Differences result={result} view={null} />
      </>
    )}
    <div class="actions">
      {document.encrypted ? (
        <a href={getVersionPath(document.id, revision.number)}>Back to version {revision.number}</a>
      ) : (
        <RestoreForm
          id={document.id}
          number={revision.number}
          version={version}
          button={`Restore version ${revision.number} anyway`}
        />
      )}
      <a href={getHistoryPath(document.id)}>All versions</a>
    </div>
  </Layout>
)
