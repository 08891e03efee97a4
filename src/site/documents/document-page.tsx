import type { Child } from 'hono/jsx'
import { hasOpenContent, isListed, type Original } from '../../documents/document.ts'
import type { Delivery } from '../../documents/read.ts'
import { previewDocument } from '../../previews/link-preview.tsx'
import {
  type Display,
  isWrapped,
  RENDERED_VIEW,
  SOURCE_LABEL,
  TABLE_VIEW,
  TERMINAL_LABEL,
  TERMINAL_VIEW,
  TREE_VIEW,
} from '../../shared/display.ts'
import { formatCount } from '../../shared/format.ts'
import { formatHiddenCharacters } from '../../shared/hidden-characters.ts'
import { findLanguage, PLAIN_TEXT } from '../../shared/languages.ts'
import { CR_LABEL } from '../../shared/lines.ts'
import type { TextFile } from '../../shared/txtar.ts'
import {
  DOCUMENT_EXTRA_STYLES,
  DOCUMENT_STYLES,
  FILES_STYLES,
  LANGUAGE_FILES,
  MARKDOWN_FILES,
  MARKDOWN_STYLES,
  SCRIPTS,
  VIEW_STYLES,
} from '../../ui/assets.generated.ts'
import { DocumentBar, DocumentHeader, Toolbar, type ViewerAccess } from '../../ui/document-header.tsx'
import { Files } from '../../ui/files.tsx'
import { HiddenWarning } from '../../ui/hidden-warning.tsx'
import { Layout } from '../../ui/layout.tsx'
import {
  type AskedView,
  getTextData,
  getWaiting,
  NumberedText,
  startsAsTerminal,
  startsDrawn,
  startsRendered,
} from '../../ui/numbered-text.tsx'
import { OEmbedLink } from '../../ui/oembed-link.tsx'
import { usePage } from '../../ui/page.tsx'
import type { TextFacts } from '../../ui/text-facts.ts'
import type { EditOffer } from '../editing/form-values.ts'
import { QuickSettings } from '../editing/quick-settings.tsx'

const getPageTitle = ({
  document,
  burned,
  facts,
}: Pick<DocumentPageProps, 'document' | 'burned' | 'facts'>) => {
  const title = document.givenTitle ?? facts.derivedTitle
  // The browser's history keeps titles, so the title of a burned or encrypted document says nothing of its content.
  return burned || document.encrypted || title === null ? document.id : title
}

const FILES_LABEL = 'Files'

/** Returns the links between the files and their source, or null if no other page has the text. */
function getFileViews({ document: { id, encrypted }, burned }: Delivery, current: string) {
  const links = [
    [FILES_LABEL, `/${id}`],
    [SOURCE_LABEL, `/${id}?view=source`],
  ] as const
  return burned || encrypted ? null : { links, current }
}

const Burned = () => (
  <p class="banner" role="status">
    This document has been deleted. Save or copy what you need before you leave.
  </p>
)

/** Links in the head of a page, which programs read. */
const Relations = ({ document }: Pick<Delivery, 'document'>) => (
  <>
    {isListed(document) && <link rel="canonical" href={`${usePage().siteUrl}/${document.id}`} />}
    {hasOpenContent(document) && usePage().openToAll && <OEmbedLink id={document.id} />}
  </>
)

interface PreloadsProps {
  readonly language: string
  readonly rendered: boolean
  readonly drawn: boolean
}

/** Tells the browser about files that it will need. Otherwise it would find out about each one once another has arrived. */
const Preloads = ({ language, rendered, drawn }: PreloadsProps) => {
  const name = findLanguage(language)?.name ?? PLAIN_TEXT
  if (name === PLAIN_TEXT) return null
  const files = rendered ? MARKDOWN_FILES : drawn ? [] : [`${LANGUAGE_FILES}${name}.js`]
  return (
    <>
      {files.map((file) => (
        <link rel="modulepreload" href={file} />
      ))}
      <link rel="preload" as="style" href={DOCUMENT_EXTRA_STYLES} />
    </>
  )
}

interface DocumentPageProps extends Delivery {
  /** The first rows, if the page starts with a table. */
  readonly firstRows: Child
  /** The content, with LF for the CR that ends its lines. */
  readonly text: string
  /** Is null if the text has no links. */
  readonly html?: string | null
  readonly facts: TextFacts
  readonly access: ViewerAccess
  readonly offer: EditOffer | null
  readonly display: Display
  readonly view: AskedView
  readonly original: Original | null
  readonly now: number
  readonly hasCr: boolean
  /** The reason why a text in the language of archives has no files. */
  readonly filesProblem: string | null
  /** It has files, and the address asks for the source. */
  readonly isArchive: boolean
}

/** Keeps the place of the bar that a script puts there once it has read the log. */
const ReadingLog = ({ lines }: { readonly lines: number }) => (
  <>
    <link rel="stylesheet" href={VIEW_STYLES} />
    <div class="view-bar strip row quiet-text log-waiting scripted">
      Reading {formatCount(lines, 'line')}…
    </div>
  </>
)

export const DocumentPage = (props: DocumentPageProps) => {
  const { document, burned, firstRows, facts, access, view, hasCr, filesProblem, isArchive } = props
  const { chunks, derivedTitle, hidden } = facts
  const title = document.givenTitle ?? derivedTitle
  const terminal = startsAsTerminal(document, view, facts)
  const rendered = !terminal && startsRendered(document, view)
  const drawn = !terminal && startsDrawn(document, view)
  const renderedView = rendered || drawn ? RENDERED_VIEW : firstRows ? TABLE_VIEW : null
  const firstView = terminal ? TERMINAL_VIEW : renderedView
  const language = view.language ?? document.language
  const data = getTextData(document, view, { burned, watched: access.role !== 'reader' })
  const { label } = firstView ?? TREE_VIEW
  const hasView = firstView !== null || data['data-language'].startsWith('json')
  const otherView = hasView ? { label, pressed: firstView ? label : SOURCE_LABEL } : null
  // Browsers run it while they receive a long text. Usually, a module waits for the end of the page.
  const startsEarly = chunks.linesPerChunk !== null && firstView === null
  return (
    <Layout
      title={getPageTitle(props)}
      signedIn={access.signedIn}
      preview={previewDocument({ document, facts })}
      styles={[
        DOCUMENT_STYLES,
        ...(access.role === 'creator' ? [DOCUMENT_EXTRA_STYLES] : []),
        ...(rendered || drawn ? [MARKDOWN_STYLES] : []),
      ]}
      // Only the creator's page has a form, which deletes the document.
      scripts={[
        ...(startsEarly ? [] : [SCRIPTS.viewer]),
        ...(access.role === 'creator' ? [SCRIPTS.form] : []),
      ]}
      head={
        <>
          <Preloads language={language} rendered={rendered} drawn={drawn} />
          {startsEarly && <script type="module" async src={SCRIPTS.viewer} />}
          <Relations document={document} />
        </>
      }
    >
      <DocumentBar>
        <DocumentHeader
          {...props}
          title={title}
          language={language}
          languageLabel={terminal ? TERMINAL_LABEL : undefined}
          lineBreaks={hasCr ? CR_LABEL : null}
          titleInText={rendered && title === facts.firstHeading}
        />
        <Toolbar
          {...props}
          title={title}
          otherView={otherView}
          settings={<QuickSettings {...props} />}
          viewLinks={isArchive ? getFileViews(props, SOURCE_LABEL) : null}
          isWrapped={isWrapped(props.display, { language, longestLine: chunks.longestLine })}
        />
      </DocumentBar>
      <div class="bar-strip">
        {burned && <Burned />}
        {filesProblem && <p class="quiet-text">These files are shown as their source. {filesProblem}</p>}
        <HiddenWarning hidden={hidden} />
      </div>
      {firstRows}
      {data['data-language'] === 'log' && !view.asSource && <ReadingLog lines={chunks.lineCount} />}
      <NumberedText
        {...props}
        chunks={chunks}
        data={{
          ...data,
          ...(hasCr && { 'data-line-breaks': 'cr' }),
          ...((terminal || drawn || firstRows) && { 'data-starts-rendered': getWaiting(document) }),
        }}
      />
    </Layout>
  )
}

interface FilesPageProps
  extends Omit<DocumentPageProps, 'firstRows' | 'text' | 'hasCr' | 'filesProblem' | 'isArchive'> {
  readonly files: readonly TextFile[]
  /** A file that the address asks for, and the document lacks. */
  readonly missingFile: string | null
}

export const FilesPage = (props: FilesPageProps) => {
  const { document, burned, facts, files, access, view, missingFile } = props
  const isCreator = access.role === 'creator'
  const title = document.givenTitle ?? facts.derivedTitle
  return (
    <Layout
      title={getPageTitle(props)}
      signedIn={access.signedIn}
      preview={previewDocument({ document, facts, files: files.length })}
      styles={[DOCUMENT_STYLES, DOCUMENT_EXTRA_STYLES, FILES_STYLES]}
      scripts={[SCRIPTS.files, ...(isCreator ? [SCRIPTS.form] : [])]}
      head={<Relations document={document} />}
    >
      <DocumentBar>
        <DocumentHeader
          {...props}
          title={title}
          language={document.language}
          languageLabel={formatCount(files.length, 'file')}
        />
        <Toolbar
          {...props}
          title={title}
          settings={<QuickSettings {...props} />}
          viewLinks={getFileViews(props, FILES_LABEL)}
          files={files.length}
        />
      </DocumentBar>
      <div class="bar-strip">
        {burned && <Burned />}
        <p class="banner" id="file-status" role="status">
          {missingFile !== null && (
            <>
              This document has no file <bdi>“{missingFile}”</bdi>. It may have been renamed or removed.
            </>
          )}
        </p>
      </div>
      <Files
        files={files}
        measures={facts.files}
        display={props.display}
        rawPath={burned || document.encrypted ? null : `/r/${document.id}`}
        burned={burned}
        hasHidden={formatHiddenCharacters(facts.hidden).length > 0}
        data={getTextData(document, view, { burned, watched: access.role !== 'reader' })}
      />
    </Layout>
  )
}
