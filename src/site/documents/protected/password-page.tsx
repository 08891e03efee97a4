import type { Document } from '../../../documents/model/document.ts'
import type { Display } from '../../../shared/display.ts'
import { NO_CHUNKS } from '../../../shared/text/lines.ts'
import { DECRYPT_STYLES, SCRIPTS } from '../../assets.generated.ts'
import { PasswordForm } from '../../components/password-form.tsx'
import { ReportLink } from '../../components/report-link.tsx'
import { Notice } from '../../layout/layout.tsx'
import { DocumentHeader } from '../page/document-header.tsx'
import type { PageViewer } from '../page/document-navigation.tsx'
import { getTextData, NumberedText } from '../page/numbered-text.tsx'
import { Toolbar } from '../page/toolbar.tsx'
import { DecryptTemplate } from './decrypt-template.tsx'

interface PasswordPageProps {
  readonly document: Document
  /** The number of views once the document is decrypted. */
  readonly views: number
  readonly now: number
  readonly viewer: PageViewer
  readonly display: Display
  /** The language in the address, if there is one. */
  readonly addressLanguage: string | null
  /** The address of the form: the document's page. */
  readonly action: string
  /** Whether the password that was sent is wrong. */
  readonly wrong?: boolean
}

/** Asks for the password of an encrypted document. */
export const PasswordPage = ({
  document,
  views,
  now,
  viewer,
  display,
  addressLanguage,
  action,
  wrong = false,
}: PasswordPageProps) => (
  <Notice
    title="This document is encrypted"
    signedIn={viewer.signedIn}
    styles={[DECRYPT_STYLES]}
    scripts={[SCRIPTS.decrypt]}
  >
    <p>You need its password to read it.</p>
    <PasswordForm action={action} button="Show document" wrong={wrong} />
    <ReportLink document={document} />
    <DecryptTemplate document={document} burns={false}>
      <DocumentHeader
        document={document}
        title={null}
        views={views}
        burned={false}
        viewer={viewer}
        now={now}
        language={addressLanguage ?? document.language}
      />
      <p class="hint" role="status" />
      <div class="actions link-with-password">
        <button type="button" class="quiet">
          Copy link with password
        </button>
        <p>Anyone with that link can read the document.</p>
        <p aria-live="polite" />
      </div>
      <Toolbar document={document} viewer={viewer} display={display} views={views} title={null} />
      <NumberedText
        text=""
        chunks={NO_CHUNKS}
        display={display}
        data={getTextData(document, addressLanguage, { burned: false })}
      />
    </DecryptTemplate>
  </Notice>
)
