import type { Document } from '../../documents/model/document.ts'
import type { Revision } from '../../documents/revisions/revisions.ts'
import type { ComparisonResult } from '../../shared/compare/comparison.ts'
import { HISTORY_STYLES, SCRIPTS } from '../assets.generated.ts'
import { Time } from '../components/time.tsx'
import { Layout } from '../layout/layout.tsx'
import { Problem } from '../layout/problem.tsx'
import { Differences } from './compare-page.tsx'
import { getHistoryPath, getVersionPath } from './history-paths.ts'
import { RestoreForm } from './restore-form.tsx'
import { getAuthorName } from './version-facts.tsx'

interface RestoreConflictPageProps {
  readonly document: Document
  readonly current: Revision
  /** The version to restore. */
  readonly revision: Revision
  /** The entity tag of the document as it is now. */
  readonly version: string
  /** What restoring would change; null if the document is encrypted. */
  readonly result: ComparisonResult | null
  readonly signedIn: boolean
}

/** Asks again before a version replaces one that the user hasn't seen. */
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
