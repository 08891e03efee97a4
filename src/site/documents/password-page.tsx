import type { Document } from '../../documents/model/document.ts'
import { NO_CHUNKS } from '../../shared/lines.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { Facts } from '../components/facts.tsx'
import { PasswordForm } from '../components/password-form.tsx'
import { ReportLink } from '../components/report-link.tsx'
import { Notice } from '../layout/layout.tsx'
import { DecryptTemplate } from './decrypt-template.tsx'
import { DocumentNavigation, type PageViewer } from './document-navigation.tsx'
import { HIGHLIGHT_DATA, NumberedText } from './numbered-text.tsx'
import { TextTools } from './text-tools.tsx'

interface PasswordPageProps {
  readonly document: Document
  /** The number of views once the document is decrypted. */
  readonly views: number
  readonly now: number
  readonly viewer: PageViewer
  /** Whether the password that was sent is wrong. */
  readonly wrong?: boolean
}

/** Asks for the password of an encrypted document. */
export const PasswordPage = ({ document, views, now, viewer, wrong = false }: PasswordPageProps) => (
  <Notice title="This document is encrypted" signedIn={viewer.signedIn} scripts={[SCRIPTS.decrypt]}>
    <p>You need its password to read it.</p>
    <PasswordForm action={`/${document.id}`} button="Show document" wrong={wrong} />
    <ReportLink document={document} />
    <DecryptTemplate document={document} burns={false}>
      <div class="title">
        <h1>{document.id}</h1>
        <DocumentNavigation document={document} viewer={viewer} />
      </div>
      <Facts document={document} views={views} burned={false} now={now} />
      <p class="hint" role="status" />
      <div class="tools link-with-password">
        <button type="button" class="tool">
          Copy link with password
        </button>
        <p>Anyone with that link can read the document.</p>
        <p aria-live="polite" />
      </div>
      <TextTools document={document} hasRawLink={false} />
      <NumberedText text="" chunks={NO_CHUNKS} data={HIGHLIGHT_DATA} />
    </DecryptTemplate>
  </Notice>
)
