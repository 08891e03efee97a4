import type { Document } from '../../documents/model/document.ts'
import { NO_CHUNKS } from '../../shared/lines.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { Notice } from '../layout/layout.tsx'
import { ReportLink } from '../moderation/report-link.tsx'
import { OpenHere } from './decrypt-panel.tsx'
import { HIGHLIGHTER, NumberedText } from './numbered-text.tsx'
import { ReadOnceForm } from './unlock-forms.tsx'

interface ReadOncePageProps {
  readonly document: Document
  /** Where the claim goes. */
  readonly action: string
  readonly signedIn: boolean
  readonly wrong?: boolean
}

/** Asks before a document is read and deleted. */
export const ReadOncePage = ({ document, action, signedIn, wrong = false }: ReadOncePageProps) => {
  // Who asked for the mere text gets it from the server, unless that takes a password.
  const here = document.encrypted || action === `/${document.id}`
  return (
    <Notice
      title="This document can be read once"
      signedIn={signedIn}
      scripts={[here ? SCRIPTS.decrypt : SCRIPTS.submitOnce]}
    >
      <p>Whoever reads it deletes it. Make sure that you have the time to read it, or a place to keep it.</p>
      <ReadOnceForm action={action} encrypted={document.encrypted} wrong={wrong} />
      <ReportLink document={document} />
      {here && (
        <OpenHere document={document} once>
          <p class="banner" role="status" />
          <div class="title">
            <h1>{document.id}</h1>
          </div>
          {/* Who has not read it learns nothing about it. */}
          <dl class="facts" />
          <div class="actions save-copy">
            <button type="button">Save a copy</button>
            <button type="button" class="quiet">
              Copy
            </button>
            <p aria-live="polite" />
          </div>
          <NumberedText text="" cut={NO_CHUNKS} data={HIGHLIGHTER} />
        </OpenHere>
      )}
    </Notice>
  )
}
