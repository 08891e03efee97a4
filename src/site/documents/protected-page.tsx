import type { Document } from '../../documents/document.ts'
import type { Display } from '../../shared/display.ts'
import { mayHaveFiles } from '../../shared/find-files.ts'
import { NO_CHUNKS } from '../../shared/lines.ts'
import { DOCUMENT_EXTRA_STYLES, DOCUMENT_STYLES, SCRIPTS } from '../../ui/assets.generated.ts'
import { DocumentBar, DocumentHeader, Toolbar, type ViewerAccess } from '../../ui/document-header.tsx'
import { Author, Expiry, StateBadges, UNTITLED } from '../../ui/facts.tsx'
import { DocumentPasswordForm } from '../../ui/fields.tsx'
import { FilesPrototype } from '../../ui/files.tsx'
import { Notice } from '../../ui/layout.tsx'
import { type AskedView, getTextData, HIGHLIGHT_DATA, NumberedText } from '../../ui/numbered-text.tsx'
import { JweWorker } from '../../ui/page.tsx'
import type { EditOffer } from '../editing/form-values.ts'
import { QuickSettings } from '../editing/quick-settings.tsx'

interface ProtectedPageProps {
  readonly document: Document
  /** Is true if the document is deleted when this viewer reads it. */
  readonly burns: boolean
  readonly views: number
  readonly now: number
  readonly action: string
  readonly access: ViewerAccess
  readonly offer: EditOffer | null
  readonly display: Display
  readonly view: AskedView
  readonly wrong?: boolean
}

/** The script fills it in. Of a document that is burned, it tells nothing before it has been read. */
const DecryptedPage = ({ burns, document, view, ...shared }: ProtectedPageProps) => (
  <>
    <DocumentBar>
      {burns ? (
        <header class="document-header">
          <h1 dir="auto">{UNTITLED}</h1>
          <p class="facts-line">
            <StateBadges document={document} />
          </p>
        </header>
      ) : (
        <DocumentHeader
          {...shared}
          document={document}
          title={null}
          burned={false}
          language={view.language ?? document.language}
        />
      )}
      <Toolbar
        {...shared}
        {...(burns && { views: null, hasSaveButtons: true })}
        document={document}
        title={null}
        burned={burns}
        hasPasswordLink={!burns}
        settings={<QuickSettings {...shared} document={document} />}
      />
    </DocumentBar>
    <div class="bar-strip">
      <p class={burns ? 'banner' : 'quiet-text'} role="status" />
    </div>
    <NumberedText
      text=""
      chunks={NO_CHUNKS}
      display={shared.display}
      data={
        burns
          ? {
              ...HIGHLIGHT_DATA,
              ...(view.language !== null && { 'data-language': view.language }),
              ...(view.language === null && !document.languageChosen && { 'data-detect': '' }),
            }
          : getTextData(document, view, { burned: false, watched: shared.access.role !== 'reader' })
      }
    />
    {/* Nobody learns of the files before they are read. */}
    {(burns || mayHaveFiles(document)) && <FilesPrototype display={shared.display} burned={burns} />}
  </>
)

/** Asks for a password, or before it deletes the document. */
export const ProtectedPage = (props: ProtectedPageProps) => {
  const { document, burns, now, action, access, wrong = false } = props
  const { encrypted } = document
  // The server answers raw text itself, except of an encrypted document, which the browser decrypts.
  const inBrowser = encrypted || !action.startsWith('/r/')
  return (
    <Notice
      title={burns ? 'You can read this once' : 'This document is encrypted'}
      icon={burns ? 'flame' : 'lock'}
      signedIn={access.signedIn}
      styles={[DOCUMENT_STYLES, DOCUMENT_EXTRA_STYLES]}
      scripts={[inBrowser ? SCRIPTS.decrypt : SCRIPTS.form]}
      head={encrypted && <JweWorker />}
    >
      {burns ? (
        <>
          <p class="facts-line">
            {encrypted && <span>Encrypted</span>}
            {document.creator && (
              <span>
                by <Author document={document} />
              </span>
            )}
            <Expiry document={document} now={now} />
          </p>
          <p>Opening it deletes it: nobody can read it after you. You can save a copy.</p>
        </>
      ) : (
        <p>You need its password to read it.</p>
      )}
      <DocumentPasswordForm
        action={action}
        button={burns ? 'Read and delete' : 'Show document'}
        encrypted={encrypted}
        wrong={wrong}
        {...(burns && { problem: 'Wrong password. Nothing was deleted. Try again.' })}
      />
      {access.role !== 'creator' && (
        <p class="quiet-text">
          <a href={`/${document.id}/report`}>Report this document</a>
        </p>
      )}
      {inBrowser && (
        // Lets a script open the document in the browser, so that the password never leaves it.
        <template
          data-document={document.id}
          data-encrypted={encrypted}
          data-burn={burns}
          data-keeps-password={!document.burnAfterReading}
        >
          <DecryptedPage {...props} />
        </template>
      )}
    </Notice>
  )
}
