import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Document } from '../documents/document.ts'
import { MAX_REVISION_MIB, MAX_REVISIONS, type Revision } from '../documents/revisions.ts'
import type { FileChange } from '../shared/compare/compare-files.ts'
import type { ComparisonResult, LineCounts } from '../shared/compare/compare-texts.ts'
import {
  formatCounts,
  type Markup,
  renderFileChange,
  renderResult,
  SAME_FILES,
} from '../shared/compare/markup.ts'
import { deriveTitle } from '../shared/derive-title.ts'
import type { Display } from '../shared/display.ts'
import { escapeVerbatim } from '../shared/escape.ts'
import { formatAge, formatDateTime, formatSize } from '../shared/format.ts'
import { findHiddenCharacters } from '../shared/hidden-characters.ts'
import { NO_CHUNKS, type TextChunks } from '../shared/lines.ts'
import { HISTORY_STYLES, SCRIPTS } from '../ui/assets.generated.ts'
import { DocumentBar, Toolbar, type ViewerAccess } from '../ui/document-header.tsx'
import { Problem } from '../ui/errors.tsx'
import { Age, getLanguageLabel } from '../ui/facts.tsx'
import { Field } from '../ui/fields.tsx'
import { ConfirmationButton, Form } from '../ui/form.tsx'
import { HiddenWarning } from '../ui/hidden-warning.tsx'
import { Icon } from '../ui/icons.tsx'
import { EmptyState, Layout } from '../ui/layout.tsx'
import { getTextData, NumberedText } from '../ui/numbered-text.tsx'
import { JweWorker, SlicedText } from '../ui/page.tsx'

export const getHistoryPath = (id: string): string => `/${id}/history`

export const getVersionPath = (id: string, number: number): string => `${getHistoryPath(id)}/${number}`

/** Returns the name of a version's author. Without an account, that's the document's author: only they have its token. */
export const getAuthorName = ({ creator }: Document, { anonymous, author }: Revision): string =>
  author ?? (anonymous || creator === null ? 'Anonymous' : 'Deleted account')

export const VIEWS = ['side', 'unified', 'text'] as const

type HistoryView = (typeof VIEWS)[number]

/** The part of the page that shows a version or its changes. */
export type Shown =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'change'; readonly result: ComparisonResult }
  | { readonly kind: 'files'; readonly changes: readonly FileChange[] }
  | {
      readonly kind: 'text'
      readonly content: string
      readonly chunks: TextChunks
      /** Is true if the content has an LF for each CR of the version. */
      readonly hasCr: boolean
    }
  /** The texts of the base, if there is one, and of the revision. */
  | { readonly kind: 'encrypted'; readonly texts: readonly string[] }

/** The changes since the version before. */
export interface VersionChanges {
  /** Is null if counting them would take too long. */
  readonly counts: LineCounts | null
  /** Is null unless one of both has several files. It's empty if only their order changed. */
  readonly files: readonly string[] | null
}

interface HistoryPageProps {
  readonly document: Document
  /** The versions, the newest first. */
  readonly revisions: readonly Revision[]
  readonly revision: Revision
  /** The version that the change starts from; null if there is none, or the page shows the text. */
  readonly base: Revision | null
  readonly view: HistoryView | null
  readonly shown: Shown
  /** Has the newest versions, by number. */
  readonly listed: ReadonlyMap<number, VersionChanges>
  readonly access: ViewerAccess
  readonly display: Display
  readonly restore: Child
  /** Is true if restoring takes the password: then the form is shown only once the password is known. */
  readonly restoresDecrypted: boolean
  readonly message: string | null
  readonly problem: Child
  readonly now: number
}

/** The version before is what a version is compared with, unless the reader chose another one. */
export function findBefore<Version extends Revision>(
  revisions: readonly Version[],
  { number }: Revision,
): Version | null {
  return revisions[revisions.findIndex((revision) => revision.number === number) + 1] ?? null
}

/** Keeps the view that the reader chose. */
function getPath(
  { document: { id }, revisions, view }: HistoryPageProps,
  to: Revision,
  { from = null, as = view }: { from?: Revision | null; as?: HistoryView | null } = {},
): string {
  const query = new URLSearchParams({ ...(as !== null && { view: as }) })
  if (from === null || from.number === findBefore(revisions, to)?.number || as === 'text')
    return `${getVersionPath(id, to.number)}${query.size > 0 ? `?${query}` : ''}`
  return `${getHistoryPath(id)}/compare?${new URLSearchParams([['from', `${from.number}`], ['to', `${to.number}`], ...query])}`
}

const Counts = ({ added, removed }: LineCounts) =>
  added + removed === 0 ? (
    <span class="quiet-text">0 lines</span>
  ) : (
    <span class="quiet-text">
      <span class="visually-hidden">{formatCounts({ added, removed })}</span>
      <span aria-hidden="true">
        {added > 0 && <b class="plus">+{added.toLocaleString('en')}</b>}{' '}
        {removed > 0 && <b class="minus">−{removed.toLocaleString('en')}</b>}
      </span>
    </span>
  )

const MAX_NAMES = 3

function formatNames(names: readonly string[]): string {
  if (names.length === 0) return 'Files in another order'
  const more = names.length - MAX_NAMES
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` + ${more} more` : ''}`
}

/** Lists the versions. On a phone, a button shows them: there they're a popover, which works without scripts. */
const Timeline = (props: HistoryPageProps) => {
  const { document, revisions, revision, listed, now } = props
  return (
    <nav id="versions" class="timeline menu" aria-label="Versions" popover="auto">
      <ol class="plain-list nav-list">
        {revisions.map((each) => {
          const changes = listed.get(each.number)
          return (
            <li>
              <a
                href={getPath(props, each)}
                aria-current={each.number === revision.number ? 'page' : undefined}
                title={formatDateTime(each.createdAt)}
              >
                <span class="row apart">
                  <b>Version {each.number}</b>
                  {changes?.counts ? (
                    <Counts {...changes.counts} />
                  ) : (
                    <span class="quiet-text">{formatSize(each.bytes)}</span>
                  )}
                </span>
                <span class="quiet-text">
                  {each.current && 'Current · '}
                  <bdi>{getAuthorName(document, each)}</bdi> · {formatAge(each.createdAt, now)}
                </span>
                {changes?.files && <span class="quiet-text row">{formatNames(changes.files)}</span>}
              </a>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

interface StepProps {
  readonly to: Revision | null | undefined
  readonly rel: 'prev' | 'next'
  readonly page: HistoryPageProps
}

const Step = ({ to, rel, page }: StepProps) => {
  const name = rel === 'prev' ? 'Older' : 'Newer'
  const icon = <Icon name={rel === 'prev' ? 'arrow-left' : 'arrow-right'} />
  return to ? (
    <a
      class="tool"
      rel={rel}
      href={getPath(page, to)}
      aria-label={`${name} version`}
      aria-keyshortcuts={rel === 'prev' ? 'ArrowLeft' : 'ArrowRight'}
      title={`${name} version (${rel === 'prev' ? '←' : '→'})`}
    >
      {icon}
    </a>
  ) : (
    <span class="tool" aria-hidden="true">
      {icon}
    </span>
  )
}

const Steps = (props: HistoryPageProps) => {
  const { revisions, revision, now } = props
  const index = revisions.indexOf(revision)
  return (
    <div class="steps row">
      <Step rel="prev" to={findBefore(revisions, revision)} page={props} />
      <button type="button" class="quiet small" popovertarget="versions">
        Version {revision.number} · {formatAge(revision.createdAt, now)}
        <Icon name="chevron-down" />
      </button>
      <Step rel="next" to={revisions[index - 1]} page={props} />
    </div>
  )
}

const Header = (props: HistoryPageProps) => {
  const { document, revision, revisions, now } = props
  return (
    <DocumentBar>
      <header class="document-header">
        <h1>
          History{' '}
          <a href={`/${document.id}`}>
            <bdi>{document.title ?? document.id}</bdi>
          </a>
        </h1>
        <p class="facts-line">
          <span>Version {revision.number}</span>
          {revision.current && <span>current</span>}
          <span id="shown-language">{getLanguageLabel(revision)}</span>
          <span>{formatSize(revision.bytes)}</span>
          <span>
            saved <Age at={revision.createdAt} now={now} /> by {getAuthorName(document, revision)}
          </span>
        </p>
      </header>
      {revisions.length > 1 && <Steps {...props} />}
    </DocumentBar>
  )
}

/** Narrow windows always show the unified view, so they don't offer a choice. */
const ViewChoice = (props: HistoryPageProps) => {
  const { revisions, revision, base, view } = props
  const from = base ?? findBefore(revisions, revision)
  if (from === null) return <p class="quiet-text">Oldest version</p>
  const isUnified = view === 'unified'
  return (
    <nav class="row" aria-label="View">
      <span class="segments">
        <a
          href={getPath(props, revision, { from, as: view === 'text' ? null : view })}
          aria-current={base ? 'true' : undefined}
        >
          Changes
        </a>
        <a href={getPath(props, revision, { as: 'text' })} aria-current={base ? undefined : 'true'}>
          Text
        </a>
      </span>
      {base && (
        <span class="segments">
          <a
            href={getPath(props, revision, { from, as: 'side' })}
            aria-current={isUnified ? undefined : 'true'}
          >
            Side by side
          </a>
          <a
            href={getPath(props, revision, { from, as: 'unified' })}
            aria-current={isUnified ? 'true' : undefined}
          >
            Unified
          </a>
        </span>
      )}
    </nav>
  )
}

/** A version has a version before; with more of them, the reader may compare it with any other. */
const BaseChoice = (props: HistoryPageProps) => {
  const { revisions, revision, base } = props
  if (base === null || revisions.length === 2) return null
  return (
    <>
      <button type="button" class="quiet small" popovertarget="bases">
        Compared with version {base.number}
        <Icon name="chevron-down" />
      </button>
      <nav id="bases" class="menu" aria-label="Compare with" popover="auto">
        {revisions.map(
          (each) =>
            each !== revision && (
              <a
                class="menu-item"
                href={getPath(props, revision, { from: each })}
                aria-current={each.number === base.number ? 'true' : undefined}
              >
                Version {each.number}
              </a>
            ),
        )}
      </nav>
    </>
  )
}

function writeMarkup(markup: Markup): string {
  if (typeof markup === 'string') return escapeVerbatim(markup)
  const { tag, class: className, hidden, children } = markup
  const attributes = `${className === undefined ? '' : ` class="${className}"`}${hidden ? ' aria-hidden="true"' : ''}`
  return `<${tag}${attributes}>${children.map(writeMarkup).join('')}</${tag}>`
}

/** A script colours the lines. */
const Differences = ({
  view,
  base,
  revision,
  file,
  children,
}: HistoryPageProps & { readonly file?: FileChange; readonly children?: Child }) => (
  <section
    aria-label={file ? `Changes in ${file.name}` : 'Changes'}
    class={view === 'unified' ? 'differences unified' : 'differences'}
    data-highlight-worker={SCRIPTS.highlightWorker}
    data-old-language={file?.oldLanguage ?? base?.language}
    data-language={file?.language ?? revision.language}
  >
    {children}
  </section>
)

const getVersionDocument = ({ document, revision: { language, bytes } }: HistoryPageProps): Document => ({
  ...document,
  language,
  languageChosen: true,
  contentBytes: bytes,
})

/** The tools of a text that only this page has: no other address leads to it. */
const VersionTools = (props: HistoryPageProps & { title: string | null }) => (
  <Toolbar
    {...props}
    document={getVersionDocument(props)}
    views={null}
    burned
    hasQuietCopy={!props.revision.current}
  />
)

const VersionText = (props: HistoryPageProps & { text: string; chunks: TextChunks; hasCr: boolean }) => {
  const view = { language: null, asSource: false }
  const data = getTextData(getVersionDocument(props), view, { burned: true, watched: false })
  return <NumberedText {...props} data={{ ...data, ...(props.hasCr && { 'data-line-breaks': 'cr' }) }} />
}

/** A script decrypts the versions in the browser. The form is never sent: its method does nothing outside a dialog. */
const EncryptedVersions = ({ texts, ...props }: HistoryPageProps & { texts: readonly string[] }) => (
  <>
    <form id="decrypt-versions" class="scripted" method="dialog">
      <Field
        label="Password"
        name="password"
        type="password"
        autofocus
        hint="Your browser decrypts the text. Neither the password nor the text is sent to the server."
      />
      <button type="submit">{props.base ? 'Show changes' : 'Show version'}</button>
    </form>
    <noscript>
      <p class="strip">
        This document is encrypted. Your browser decrypts its versions, which needs JavaScript.
      </p>
    </noscript>
    {[...(props.base ? [props.base] : []), props.revision].map(
      ({ number, language, languageChosen }, index) => (
        <template class="jwe" data-version={number} data-language={language} data-chosen={languageChosen}>
          <SlicedText text={texts[index] ?? ''} />
        </template>
      ),
    )}
    <template id="decrypted">
      {props.restoresDecrypted && props.restore}
      {props.base ? (
        <Differences {...props} />
      ) : (
        <>
          <VersionTools {...props} title={null} />
          <VersionText {...props} text="" chunks={NO_CHUNKS} hasCr={false} />
        </>
      )}
    </template>
  </>
)

function findReasonForNone({ burnAfterReading, keepRevisions }: Document): string | null {
  if (burnAfterReading) return 'A document that is deleted after the first read keeps none.'
  return keepRevisions ? null : 'Its author has turned them off.'
}

const EmptyHistory = ({ document }: { document: Document }) => {
  const reason = findReasonForNone(document)
  return (
    <EmptyState icon="history" title={`No previous versions${reason === null ? ' yet' : ''}`}>
      <p class="quiet-text">{reason ?? 'Edit the text, and the version before it appears here.'}</p>
      <p>
        <a href={`/${document.id}/edit`} class="button">
          Edit the document
        </a>
      </p>
    </EmptyState>
  )
}

const ShownVersion = (props: HistoryPageProps) => {
  const { document, shown } = props
  switch (shown.kind) {
    case 'nothing':
      return <EmptyHistory document={document} />
    case 'change':
      return <Differences {...props}>{raw(renderResult(shown.result).map(writeMarkup).join(''))}</Differences>
    case 'files':
      if (shown.changes.length === 0) return <p class="strip quiet-text">{SAME_FILES}</p>
      return (
        <>
          {shown.changes.map((file) => (
            <Differences {...props} file={file}>
              {raw(renderFileChange(file).map(writeMarkup).join(''))}
            </Differences>
          ))}
        </>
      )
    case 'text':
      return (
        <>
          <HiddenWarning hidden={findHiddenCharacters(shown.content)} />
          <VersionText {...props} text={shown.content} chunks={shown.chunks} hasCr={shown.hasCr} />
        </>
      )
    case 'encrypted':
      return <EncryptedVersions {...props} texts={shown.texts} />
    default:
      throw new TypeError(`Unknown kind: ${JSON.stringify(shown satisfies never)}`)
  }
}

const ManageHistory = ({ document: { id, keepRevisions }, count }: { document: Document; count: number }) => (
  <section class="strip row apart manage-history" aria-label="Manage history">
    <p class="quiet-text">
      {keepRevisions
        ? `Each edit of the text keeps the version before: the newest ${MAX_REVISIONS}, up to ${MAX_REVISION_MIB} MiB. Only you and your editors can see them.`
        : 'We don’t keep previous versions of this document.'}
    </p>
    <div class="row">
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
        <Form action={`${getHistoryPath(id)}/keep`} layout="inline" button="Keep history" look="quiet" />
      )}
    </div>
  </section>
)

export const HistoryPage = (props: HistoryPageProps) => {
  const { document, revision, revisions, base, shown, access, message, problem, restore, restoresDecrypted } =
    props
  return (
    <Layout
      title={`Version ${revision.number} of ${document.title ?? document.id}`}
      signedIn={access.signedIn}
      styles={[HISTORY_STYLES]}
      scripts={[SCRIPTS.history, SCRIPTS.form]}
      head={shown.kind === 'encrypted' && <JweWorker />}
    >
      <Header {...props} />
      <div class="bar-strip">
        {problem && <Problem>{problem}</Problem>}
        {message !== null && (
          <p class="banner" role="status">
            {message}
          </p>
        )}
      </div>
      <div class={revisions.length > 1 ? 'history' : undefined}>
        {revisions.length > 1 && <Timeline {...props} />}
        <div>
          {shown.kind !== 'nothing' && (
            <div class="strip row apart history-choices">
              <ViewChoice {...props} />
              {shown.kind === 'text' && (
                <VersionTools {...props} title={document.givenTitle ?? deriveTitle(shown.content)} />
              )}
              <div class="row">
                <BaseChoice {...props} />
                {!restoresDecrypted && restore}
              </div>
            </div>
          )}
          {base && base.language !== revision.language && (
            <p class="strip quiet-text">
              Language: {getLanguageLabel(base)} → {getLanguageLabel(revision)}
            </p>
          )}
          <ShownVersion {...props} />
        </div>
      </div>
      {access.role === 'creator' && <ManageHistory document={document} count={revisions.length} />}
    </Layout>
  )
}
