import type { Child } from 'hono/jsx'
import type { Document } from '../documents/document.ts'
import type { Revision } from '../documents/revisions.lazy.ts'
import { deriveTitle } from '../shared/derive-title.ts'
import type { Display } from '../shared/display.ts'
import { formatSize } from '../shared/format.ts'
import { findHiddenCharacters } from '../shared/hidden-characters.ts'
import { NO_CHUNKS, type TextChunks } from '../shared/lines.ts'
import { HISTORY_STYLES, SCRIPTS } from '../site/assets.generated.ts'
import { ConfirmationButton } from '../site/components/confirmation.tsx'
import { Age, getLanguageLabel, UNTITLED } from '../site/components/facts.tsx'
import { Cell } from '../site/components/fields.tsx'
import { type PageViewer, Toolbar } from '../site/documents/document-frame.tsx'
import { HiddenWarning } from '../site/documents/document-page.tsx'
import { getTextData, NumberedText } from '../site/documents/numbered-text.tsx'
import { Layout } from '../site/layout/layout.tsx'
import {
  EncryptedVersions,
  getAuthorName,
  getComparePath,
  getDocumentName,
  getHistoryPath,
  getVersionPath,
  VERSION_STYLES,
  VersionFacts,
} from './history-parts.tsx'

interface ChoiceProps {
  readonly name: 'from' | 'to'
  readonly number: number
  readonly checked: boolean
}

const VersionChoice = ({ name, number, checked }: ChoiceProps) => (
  <input
    type="radio"
    name={name}
    value={number}
    checked={checked}
    aria-label={`${name === 'from' ? 'From' : 'To'} version ${number}`}
  />
)

interface VersionTableProps {
  readonly document: Document
  readonly revisions: readonly Revision[]
  readonly now: number
}

const VersionTable = ({ document, revisions, now }: VersionTableProps) => (
  <table class="documents versions">
    <thead>
      <tr>
        <th scope="col">Version</th>
        <th scope="col">Author</th>
        <th scope="col">Saved</th>
        <th scope="col">Size</th>
        <th scope="col">Language</th>
        <th scope="col">Changes</th>
        <th scope="col">From</th>
        <th scope="col">To</th>
      </tr>
    </thead>
    <tbody>
      {revisions.map((revision, index) => {
        const { number, bytes, createdAt, current } = revision
        const previous = revisions[index + 1]
        return (
          <tr>
            <th scope="row">
              <a href={getVersionPath(document.id, number)}>Version {number}</a>
              {current && (
                <>
                  {' '}
                  <span class="badge">Current</span>
                </>
              )}
            </th>
            <Cell column="Author">{getAuthorName(document, revision)}</Cell>
            <Cell column="Saved">
              <Age at={createdAt} now={now} />
            </Cell>
            <Cell column="Size">{formatSize(bytes)}</Cell>
            <Cell column="Language">{getLanguageLabel(revision)}</Cell>
            <Cell column="Changes">
              {previous ? (
                <a href={getComparePath(document.id, previous.number, number)}>
                  Compare<span class="visually-hidden"> version {number}</span> with {previous.number}
                </a>
              ) : number === 1 ? (
                'First version'
              ) : (
                'Oldest version'
              )}
            </Cell>
            <Cell column="From">
              <VersionChoice
                name="from"
                number={number}
                checked={index === Math.min(1, revisions.length - 1)}
              />
            </Cell>
            <Cell column="To">
              <VersionChoice name="to" number={number} checked={index === 0} />
            </Cell>
          </tr>
        )
      })}
    </tbody>
  </table>
)

const ManageHistory = ({ document: { id, keepRevisions }, count }: { document: Document; count: number }) => (
  <section class="section" aria-labelledby="manage-history">
    <h2 id="manage-history">Manage history</h2>
    {keepRevisions ? (
      <p>
        Each time the text is edited, we keep the version before: the newest 50, up to 50 MiB. Only you and
        your editors can see them.
      </p>
    ) : (
      <p>We don’t keep previous versions of this document.</p>
    )}
    <div class="actions">
      {count > 1 && (
        <ConfirmationButton
          id="delete-history"
          title="Delete the history?"
          button="Delete history"
          action={`${getHistoryPath(id)}/delete`}
        >
          <p>All versions except the current one will be deleted. You can’t undo this.</p>
        </ConfirmationButton>
      )}
      {keepRevisions ? (
        <ConfirmationButton
          id="stop-history"
          title="Stop keeping history?"
          button="Don’t keep history"
          action={`${getHistoryPath(id)}/stop`}
        >
          <p>
            The versions before the current one will be deleted, and edits won’t keep any more. You can’t undo
            this.
          </p>
        </ConfirmationButton>
      ) : (
        <form method="post" action={`${getHistoryPath(id)}/keep`} class="inline">
          <button type="submit">Keep history</button>
        </form>
      )}
    </div>
  </section>
)

interface HistoryPageProps extends VersionTableProps {
  readonly signedIn: boolean
  readonly isCreator: boolean
  readonly message: string | null
}

export const HistoryPage = ({ signedIn, isCreator, message, ...table }: HistoryPageProps) => {
  const { document, revisions } = table
  return (
    <Layout
      title={`History of ${getDocumentName(document)}`}
      signedIn={signedIn}
      styles={[HISTORY_STYLES]}
      scripts={[SCRIPTS.submitOnce]}
    >
      <h1>History</h1>
      <p class="history-of">
        <a href={`/${document.id}`}>
          <bdi>{getDocumentName(document)}</bdi>
        </a>
      </p>
      {message !== null && (
        <p class="banner" role="status">
          {message}
        </p>
      )}
      {revisions.length > 1 ? (
        <form action={`${getHistoryPath(document.id)}/compare`} class="compare-versions">
          <VersionTable {...table} />
          <button type="submit">Compare</button>
        </form>
      ) : (
        <p>
          This document has no previous versions
          {document.keepRevisions && !document.burnAfterReading && ' yet'}.
          {document.burnAfterReading && ' Documents that are deleted after the first read keep none.'}
        </p>
      )}
      {isCreator && <ManageHistory document={document} count={revisions.length} />}
    </Layout>
  )
}

interface VersionProps {
  readonly document: Document
  readonly revision: Revision
  readonly revisions: readonly Revision[]
  readonly viewer: PageViewer
  readonly display: Display
  readonly now: number
  readonly restore: Child
}

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

/** The tools and the text name this version's language and size. */
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
  readonly text: string
  readonly chunks: TextChunks
}

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
