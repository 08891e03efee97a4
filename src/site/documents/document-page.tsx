import type { Delivery } from '../../documents/read.ts'
import type { TextChunks } from '../../shared/lines.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { Facts } from '../components/facts.tsx'
import { Layout } from '../layout/layout.tsx'
import { DocumentNavigation, type PageViewer } from './document-navigation.tsx'
import { HiddenWarning } from './hidden-warning.tsx'
import { HIGHLIGHT_DATA, NumberedText } from './numbered-text.tsx'
import { TextTools } from './text-tools.tsx'

interface DocumentPageProps extends Delivery {
  /** The content, or the slot that stands for it if it's long. */
  readonly text: string
  readonly chunks: TextChunks
  readonly viewer: PageViewer
  readonly now: number
}

/** Shows a document, or one that was deleted by reading it. */
export const DocumentPage = ({
  document,
  content,
  views,
  burned,
  text,
  chunks,
  viewer,
  now,
}: DocumentPageProps) => (
  <Layout
    // The browser's history keeps titles, so the title of a burned document says nothing of its content.
    title={(burned ? null : document.title) ?? document.id}
    signedIn={viewer.signedIn}
    // Only the creator's page has a form: the one that deletes the document.
    scripts={[SCRIPTS.viewer, ...(viewer.role === 'creator' ? [SCRIPTS.submitOnce] : [])]}
  >
    {burned && (
      <p class="banner" role="status">
        This document has been deleted. Save or copy what you need before you leave.
      </p>
    )}
    <div class="title">
      <h1>{document.id}</h1>
      {!burned && <DocumentNavigation document={document} viewer={viewer} />}
    </div>
    <Facts document={document} views={views} burned={burned} now={now} />
    <HiddenWarning text={content} />
    <TextTools document={document} hasRawLink={!burned && !document.encrypted} />
    <NumberedText
      text={text}
      chunks={chunks}
      data={{ 'data-language': document.language, ...HIGHLIGHT_DATA }}
    />
  </Layout>
)
