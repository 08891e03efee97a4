import type { Document } from '../../../documents/model/document.ts'
import type { Display } from '../../../shared/display.ts'
import { NO_CHUNKS } from '../../../shared/text/lines.ts'
import { DECRYPT_STYLES, SCRIPTS } from '../../assets.generated.ts'
import { PasswordField } from '../../components/password-form.tsx'
import { ReportLink } from '../../components/report-link.tsx'
import { Notice } from '../../layout/layout.tsx'
import { UNTITLED } from '../page/document-header.tsx'
import type { PageViewer } from '../page/document-navigation.tsx'
import { HIGHLIGHT_DATA, NumberedText } from '../page/numbered-text.tsx'
import { Toolbar } from '../page/toolbar.tsx'
import { DecryptTemplate } from './decrypt-template.tsx'

interface BurnPageProps {
  readonly document: Document
  /** The address of the form: the document's page, or its raw text. */
  readonly action: string
  readonly viewer: PageViewer
  readonly display: Display
  /** The language in the address, if there is one. */
  readonly addressLanguage: string | null
  /** Whether the password that was sent is wrong. */
  readonly wrong?: boolean
}

/** Asks before a document is shown and deleted. */
export const BurnPage = ({
  document,
  action,
  viewer,
  display,
  addressLanguage,
  wrong = false,
}: BurnPageProps) => {
  // The server answers raw text itself, except of an encrypted document, which the browser decrypts.
  const inBrowser = document.encrypted || !action.startsWith('/r/')
  return (
    <Notice
      title="This document is deleted after the first read"
      signedIn={viewer.signedIn}
      styles={[DECRYPT_STYLES]}
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
          <header class="document-header">
            <h1 dir="auto">{UNTITLED}</h1>
            {/* The script fills this in: the page tells nothing about a document that hasn't been read. */}
            <p class="facts-line" />
          </header>
          <div class="actions save-copy">
            <button type="button">Save a copy</button>
            <button type="button" class="quiet">
              Copy
            </button>
            <p aria-live="polite" />
          </div>
          <Toolbar
            document={document}
            viewer={viewer}
            display={display}
            views={null}
            title={null}
            burned
            hasSaveButtons
          />
          <NumberedText
            text=""
            chunks={NO_CHUNKS}
            display={display}
            data={{
              ...HIGHLIGHT_DATA,
              ...(addressLanguage !== null && { 'data-language': addressLanguage }),
              ...(addressLanguage === null && !document.languageChosen && { 'data-detect': '' }),
            }}
          />
        </DecryptTemplate>
      )}
    </Notice>
  )
}
