import type { Document, Original } from '../../../documents/model/document.ts'
import { Facts } from '../../components/facts.tsx'
import { ManageNavigation, type PageViewer } from './document-navigation.tsx'

/** What a document without a title is called. */
export const UNTITLED = 'Untitled'

interface DocumentHeaderProps {
  readonly document: Document
  /** Null: untitled, or not known before the document is decrypted. */
  readonly title: string | null
  readonly views: number
  readonly burned: boolean
  readonly viewer: PageViewer
  readonly now: number
  /** The language that the document is displayed in. */
  readonly language: string
  /** The document that it's a duplicate of, if the viewer may know of it. */
  readonly original?: Original | null
}

/** The title of a document, the facts about it, and what its creator can do with it. */
export const DocumentHeader = ({ title, viewer, original = null, ...facts }: DocumentHeaderProps) => (
  <header class="document-header">
    <h1 dir="auto">{title ?? UNTITLED}</h1>
    {!facts.burned && <ManageNavigation document={facts.document} viewer={viewer} />}
    <Facts {...facts} original={original && { id: original.id, title: original.title ?? UNTITLED }} />
  </header>
)
