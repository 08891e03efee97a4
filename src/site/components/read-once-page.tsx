import type { Document } from '../../documents/document.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { Notice } from '../layout.tsx'
import { ReadOnceForm } from './forms.tsx'
import { ReportLink } from './report-link.tsx'

interface ReadOncePageProps {
  readonly document: Document
  /** Where the claim goes. */
  readonly action: string
  readonly signedIn: boolean
  readonly wrong?: boolean
}

/** Asks before a document is read and deleted. */
export const ReadOncePage = ({ document, action, signedIn, wrong = false }: ReadOncePageProps) => (
  <Notice title="This document can be read once" signedIn={signedIn} scripts={[SCRIPTS.once]}>
    <p>Whoever reads it deletes it. Make sure that you have the time to read it, or a place to keep it.</p>
    <ReadOnceForm action={action} encrypted={document.encrypted} wrong={wrong} />
    <ReportLink document={document} />
  </Notice>
)
