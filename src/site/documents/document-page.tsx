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
import { findLanguage, PLAIN_TEXT } from '../../shared/languages.ts'
import { CR_LABEL } from '../../shared/lines.ts'
import {
  DOCUMENT_EXTRA_STYLES,
  DOCUMENT_STYLES,
  LANGUAGE_FILES,
  MARKDOWN_FILES,
  MARKDOWN_STYLES,
  SCRIPTS,
  VIEW_STYLES,
} from '../../ui/assets.generated.ts'
import { DocumentBar, DocumentHeader, type PageViewer, Toolbar } from '../../ui/document-frame.tsx'
import { HiddenWarning } from '../../ui/hidden-warning.tsx'
import { Layout } from '../../ui/layout.tsx'
import {
  getTextData,
  getWaiting,
  NumberedText,
  startsAsTerminal,
  startsRendered,
  type TextAddress,
} from '../../ui/numbered-text.tsx'
import { OEmbedLink } from '../../ui/oembed-link.tsx'
import { usePage } from '../../ui/page.tsx'
import type { TextFacts } from '../../ui/text-facts.ts'

/** Otherwise a browser would find out about each file once another has arrived. */
const Preloads = ({ language, rendered }: { language: string; rendered: boolean }) => {
  const name = findLanguage(language)?.name ?? PLAIN_TEXT
  if (name === PLAIN_TEXT) return null
  return (
    <>
      {(rendered ? MARKDOWN_FILES : [`${LANGUAGE_FILES}${name}.js`]).map((file) => (
        <link rel="modulepreload" href={file} />
      ))}
      <link rel="preload" as="style" href={DOCUMENT_EXTRA_STYLES} />
    </>
  )
}

interface DocumentPageProps extends Delivery {
  /** If the page starts with a table. */
  readonly firstRows: Child
  /** The content, with LF for the CR that ends its lines. */
  readonly text: string
  /** Is null if the text has no links. */
  readonly html?: string | null
  readonly facts: TextFacts
  readonly viewer: PageViewer
  readonly display: Display
  readonly address: TextAddress
  readonly original: Original | null
  readonly now: number
  readonly hasCr: boolean
}

/** Keeps the place of the bar that a script puts there once it has read the log. */
const ReadingLog = ({ lines }: { readonly lines: number }) => (
  <>
    <link rel="stylesheet" href={VIEW_STYLES} />
    <div class="view-bar strip row quiet-text log-waiting scripted">
      Reading {lines === 1 ? '1 line' : `${lines.toLocaleString('en')} lines`}…
    </div>
  </>
)

export const DocumentPage = (props: DocumentPageProps) => {
  const { document, burned, firstRows, facts, viewer, address, hasCr } = props
  const { chunks, derivedTitle, hidden } = facts
  const title = document.givenTitle ?? derivedTitle
  const terminal = startsAsTerminal(document, address, facts)
  const rendered = !terminal && startsRendered(document, address)
  const firstView = terminal ? TERMINAL_VIEW : rendered ? RENDERED_VIEW : firstRows ? TABLE_VIEW : null
  const language = address.language ?? document.language
  const data = getTextData(document, address, { burned, watched: viewer.role !== 'reader' })
  const { label } = firstView ?? TREE_VIEW
  const hasView = firstView !== null || data['data-language'].startsWith('json')
  const otherView = hasView ? { label, pressed: firstView ? label : SOURCE_LABEL } : null
  // Browsers run it while they receive a long text. Usually, a module waits for the end of the page.
  const startsEarly = chunks.linesPerChunk !== null && firstView === null
  return (
    <Layout
      // The browser's history keeps titles, so the title of a burned or encrypted document says nothing of its content.
      title={burned || document.encrypted || title === null ? document.id : title}
      signedIn={viewer.signedIn}
      preview={previewDocument({ document, facts })}
      styles={[
        DOCUMENT_STYLES,
        ...(viewer.role === 'creator' ? [DOCUMENT_EXTRA_STYLES] : []),
        ...(rendered ? [MARKDOWN_STYLES] : []),
      ]}
      // Only the creator's page has a form, which deletes the document.
      scripts={[
        ...(startsEarly ? [] : [SCRIPTS.viewer]),
        ...(viewer.role === 'creator' ? [SCRIPTS.form] : []),
      ]}
      head={
        <>
          <Preloads language={language} rendered={rendered} />
          {startsEarly && <script type="module" async src={SCRIPTS.viewer} />}
          {isListed(document) && <link rel="canonical" href={`${usePage().siteUrl}/${document.id}`} />}
          {hasOpenContent(document) && usePage().openToAll && <OEmbedLink id={document.id} />}
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
          isWrapped={isWrapped(props.display, { language, longestLine: chunks.longestLine })}
        />
      </DocumentBar>
      <div class="bar-strip">
        {burned && (
          <p class="banner" role="status">
            This document has been deleted. Save or copy what you need before you leave.
          </p>
        )}
        <HiddenWarning hidden={hidden} />
      </div>
      {firstRows}
      {data['data-language'] === 'log' && !address.asSource && <ReadingLog lines={chunks.lineCount} />}
      <NumberedText
        {...props}
        chunks={chunks}
        data={{
          ...data,
          ...(hasCr && { 'data-line-breaks': 'cr' }),
          ...((terminal || firstRows) && { 'data-starts-rendered': getWaiting(document) }),
        }}
      />
    </Layout>
  )
}
