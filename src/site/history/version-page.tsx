import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/model/document.ts'
import type { Revision } from '../../documents/revisions/revisions.ts'
import type { Display } from '../../shared/display.ts'
import { deriveTitle } from '../../shared/text/derive-title.ts'
import { findHiddenCharacters } from '../../shared/text/hidden-characters.ts'
import { NO_CHUNKS, type TextChunks } from '../../shared/text/lines.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { UNTITLED } from '../documents/page/document-header.tsx'
import type { PageViewer } from '../documents/page/document-navigation.tsx'
import { HiddenWarning } from '../documents/page/hidden-warning.tsx'
import { getTextData, NumberedText } from '../documents/page/numbered-text.tsx'
import { Toolbar } from '../documents/page/toolbar.tsx'
import { Layout } from '../layout/layout.tsx'
import { EncryptedVersions, VERSION_STYLES } from './encrypted-versions.tsx'
import { getComparePath, getHistoryPath, getVersionPath } from './history-paths.ts'
import { VersionFacts } from './version-facts.tsx'

interface VersionProps {
  readonly document: Document
  readonly revision: Revision
  /** All versions, newest first. */
  readonly revisions: readonly Revision[]
  readonly viewer: PageViewer
  readonly display: Display
  readonly now: number
  /** The form that restores the version; null for the current one and where the viewer can't. */
  readonly restore: Child
}

/** Leads to other versions and restores this one. */
const VersionActions = (props: VersionProps & { readonly restores: boolean }) => {
  const {
    document: { id },
    revision,
    revisions,
    restore,
    restores,
  } = props
  const index = revisions.findIndex(({ number }) => number === revision.number)
  const [current] = revisions
  const [newer, older] = [revisions[index - 1], revisions[index + 1]]
  return (
    <div class="version-actions">
      <nav aria-label="Versions">
        <a href={getHistoryPath(id)}>All versions</a>
        {older && <a href={getVersionPath(id, older.number)}>Older</a>}
        {newer && <a href={getVersionPath(id, newer.number)}>Newer</a>}
        {current && !revision.current && (
          <a href={getComparePath(id, revision.number, current.number)}>Compare with current</a>
        )}
        {revision.current && older && (
          <a href={getComparePath(id, older.number, revision.number)}>Compare with previous</a>
        )}
      </nav>
      {restores && restore}
    </div>
  )
}

/** The document as it was: its tools and its text name this version's language and size. */
const toShownDocument = (document: Document, { language, bytes }: Revision): Document => ({
  ...document,
  language,
  languageChosen: true,
  contentBytes: bytes,
})

const VersionText = ({
  text,
  chunks,
  title,
  ...props
}: VersionProps & { readonly text: string; readonly chunks: TextChunks; readonly title: string | null }) => {
  const document = toShownDocument(props.document, props.revision)
  return (
    <>
      {/* The tools of a text that only this page has: no other address leads to it. */}
      <Toolbar
        document={document}
        viewer={props.viewer}
        display={props.display}
        views={null}
        title={title}
        burned
      />
      <NumberedText
        text={text}
        chunks={chunks}
        display={props.display}
        data={getTextData(document, null, { burned: true })}
      />
    </>
  )
}

const VersionHeader = (props: VersionProps & { readonly title: string | null }) => (
  <header class="document-header">
    <h1 dir="auto">{props.title ?? UNTITLED}</h1>
    <VersionFacts {...props} />
  </header>
)

interface VersionPageProps extends VersionProps {
  readonly content: string
  /** The content, or the slot that stands for it if it's long. */
  readonly text: string
  readonly chunks: TextChunks
}

/** Shows a version of a document. */
export const VersionPage = ({ content, text, chunks, ...props }: VersionPageProps) => {
  const title = props.document.givenTitle ?? deriveTitle(content)
  return (
    <Layout
      title={`Version ${props.revision.number} of ${title ?? props.document.id}`}
      signedIn={props.viewer.signedIn}
      styles={VERSION_STYLES}
      scripts={[SCRIPTS.viewer, SCRIPTS.submitOnce]}
    >
      <VersionHeader {...props} title={title} />
      <VersionActions {...props} restores />
      <HiddenWarning hidden={findHiddenCharacters(content)} />
      <VersionText {...props} text={text} chunks={chunks} title={title} />
    </Layout>
  )
}

interface EncryptedVersionPageProps extends VersionProps {
  readonly jwe: string
  /** Whether restoring takes the password, so that the form is shown only once it's known. */
  readonly restoresDecrypted: boolean
}

/** Asks for the password of a version of an encrypted document. */
export const EncryptedVersionPage = ({ jwe, restoresDecrypted, ...props }: EncryptedVersionPageProps) => (
  <Layout
    title={`Version ${props.revision.number} of ${props.document.id}`}
    signedIn={props.viewer.signedIn}
    styles={VERSION_STYLES}
    scripts={[SCRIPTS.history, SCRIPTS.submitOnce]}
  >
    <h1>Version {props.revision.number}</h1>
    <VersionFacts {...props} isNamed={false} />
    <VersionActions {...props} restores={!restoresDecrypted} />
    <EncryptedVersions versions={[{ number: props.revision.number, jwe }]} button="Show version" />
    <template id="decrypted-version">
      {restoresDecrypted && <div class="version-actions">{props.restore}</div>}
      <VersionText {...props} text="" chunks={NO_CHUNKS} title={null} />
    </template>
  </Layout>
)
