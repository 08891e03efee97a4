import type { Document } from '../../documents/model/document.ts'
import { NO_CHUNKS } from '../../shared/lines.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { PasswordField } from '../components/password-form.tsx'
import { ReportLink } from '../components/report-link.tsx'
import { Notice } from '../layout/layout.tsx'
import { DecryptTemplate } from './decrypt-template.tsx'
import { HIGHLIGHT_DATA, NumberedText } from './numbered-text.tsx'

interface BurnPageProps {
  readonly document: Document
  /** The address of the form: the document's page, or its raw text. */
  readonly action: string
  readonly signedIn: boolean
  /** Whether the password that was sent is wrong. */
  readonly wrong?: boolean
}

/** Asks before a document is shown and deleted. */
export const BurnPage = ({ document, action, signedIn, wrong = false }: BurnPageProps) => {
  // The server answers raw text itself, except of an encrypted document, which the browser decrypts.
  const inBrowser = document.encrypted || action === `/${document.id}`
  return (
    <Notice
      title="This document is deleted after the first read"
      signedIn={signedIn}
      scripts={[inBrowser ? SCRIPTS.decrypt : SCRIPTS.submitOnce]}
    >
      <p>Nobody can read it after you. You can save a copy.</p>
      <form method="post" action={action}>
        {document.encrypted && (
          <PasswordField problem={wrong ? 'Wrong password. Nothing was deleted. Try again.' : null} />
        )}
        <button type="submit">Read and delete</button>
      </form>
      <ReportLink document={document} />
      {inBrowser && (
        <DecryptTemplate document={document} burns>
          <p class="banner" role="status" />
          <div class="title">
            <h1>{document.id}</h1>
          </div>
          {/* The script fills this in: the page tells nothing about a document that hasn't been read. */}
          <dl class="facts" />
          <div class="actions save-copy">
            <button type="button">Save a copy</button>
            <button type="button" class="quiet">
              Copy
            </button>
            <p aria-live="polite" />
          </div>
          <NumberedText text="" chunks={NO_CHUNKS} data={HIGHLIGHT_DATA} />
        </DecryptTemplate>
      )}
    </Notice>
  )
}
