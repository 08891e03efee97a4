import type { Document } from '../../documents/model/document.ts'
import type { Revision } from '../../documents/revisions/revisions.ts'
import { formatSize } from '../../shared/format.ts'
import { getLanguageLabel } from '../components/facts.tsx'
import { Age } from '../components/time.tsx'

/** Returns who saved a version. Without an account, the document's author did: only they have its token. */
export const getAuthorName = ({ creator }: Document, { author }: Revision): string =>
  author ?? (creator === null ? 'Anonymous' : 'Deleted account')

interface VersionFactsProps {
  readonly document: Document
  readonly revision: Revision
  readonly now: number
  /** Whether to name the version, unless the heading does. */
  readonly isNamed?: boolean
}

/** What the page of a version says about it, in one line above the text. */
export const VersionFacts = ({ document, revision, now, isNamed = true }: VersionFactsProps) => (
  <p class="facts-line">
    {isNamed && <span>Version {revision.number}</span>}
    {revision.current && <span>current</span>}
    <span id="shown-language">{getLanguageLabel(revision)}</span>
    <span>{formatSize(revision.bytes)}</span>
    <span>
      saved <Age at={revision.createdAt} now={now} /> by {getAuthorName(document, revision)}
    </span>
  </p>
)
