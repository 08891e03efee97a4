import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/document.ts'
import type { Display } from '../../shared/display.ts'
import { NO_CHUNKS } from '../../shared/lines.ts'
import { DOCUMENT_EXTRA_STYLES, DOCUMENT_STYLES, SCRIPTS } from '../assets.generated.ts'
import { Expiry, getAuthor, StateBadges, UNTITLED } from '../components/facts.tsx'
import { DocumentPasswordForm, PasswordField, ReportLink } from '../components/password-form.tsx'
import { Notice } from '../layout/layout.tsx'
import { JweWorker } from '../layout/page.tsx'
import { DocumentBar, DocumentHeader, type PageViewer, Toolbar } from './document-frame.tsx'
import { getTextData, HIGHLIGHT_DATA, NumberedText } from './numbered-text.tsx'

interface DecryptTemplateProps {
  readonly document: Document
  readonly burns: boolean
  /** Without the text, and without anything that only its reader may see. */
  readonly children: Child
}

/** Lets a script open the document in the browser, so that the password never leaves it. */
const DecryptTemplate = ({ document, burns, children }: DecryptTemplateProps) => (
  <>
    {document.encrypted && <JweWorker />}
    <template
      data-document={document.id}
      data-encrypted={document.encrypted}
      data-burn={burns}
      data-keeps-password={!document.burnAfterReading}
    >
      {children}
    </template>
  </>
)

interface BurnPageProps {
  readonly document: Document
  readonly now: number
  readonly action: string
  readonly viewer: PageViewer
  readonly display: Display
  readonly addressLanguage: string | null
  readonly wrong?: boolean
}

export const BurnPage = ({
  document,
  now,
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
      title="You can read this once"
      icon="flame"
      signedIn={viewer.signedIn}
      styles={[DOCUMENT_STYLES, DOCUMENT_EXTRA_STYLES]}
      scripts={[inBrowser ? SCRIPTS.decrypt : SCRIPTS.submitOnce]}
    >
      <p class="facts-line">
        {document.encrypted && <span>encrypted</span>}
        {document.creator && <span>by {getAuthor(document)}</span>}
        <Expiry document={document} now={now} />
      </p>
      <p>Opening it deletes it: nobody can read it after you. You can save a copy.</p>
      <form method="post" action={action}>
        {document.encrypted && (
          <PasswordField problem={wrong ? 'Wrong password. Nothing was deleted. Try again.' : null} />
        )}
        <button type="submit">Read and delete</button>
      </form>
      <ReportLink document={document} />
      {inBrowser && (
        <DecryptTemplate document={document} burns>
          <DocumentBar>
            <header class="document-header">
              <h1 dir="auto">{UNTITLED}</h1>
              {/* The script fills this in: the page tells nothing about a document that hasn't been read. */}
              <p class="facts-line">
                <StateBadges document={document} />
              </p>
            </header>
            <Toolbar
              document={document}
              viewer={viewer}
              display={display}
              views={null}
              title={null}
              burned
              hasSaveButtons
            />
          </DocumentBar>
          <div class="bar-strip">
            <p class="banner" role="status" />
          </div>
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

interface PasswordPageProps {
  readonly document: Document
  readonly views: number
  readonly now: number
  readonly viewer: PageViewer
  readonly display: Display
  readonly addressLanguage: string | null
  readonly action: string
  readonly wrong?: boolean
}

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
    icon="lock"
    signedIn={viewer.signedIn}
    styles={[DOCUMENT_STYLES, DOCUMENT_EXTRA_STYLES]}
    scripts={[SCRIPTS.decrypt]}
  >
    <p>You need its password to read it.</p>
    <DocumentPasswordForm action={action} button="Show document" wrong={wrong} />
    <ReportLink document={document} />
    <DecryptTemplate document={document} burns={false}>
      <DocumentBar>
        <DocumentHeader
          document={document}
          title={null}
          views={views}
          burned={false}
          viewer={viewer}
          now={now}
          language={addressLanguage ?? document.language}
        />
        <Toolbar
          document={document}
          viewer={viewer}
          display={display}
          views={views}
          title={null}
          hasPasswordLink
        />
      </DocumentBar>
      <div class="bar-strip">
        <p class="quiet-text" role="status" />
      </div>
      <NumberedText
        text=""
        chunks={NO_CHUNKS}
        display={display}
        data={getTextData(document, addressLanguage, { burned: false })}
      />
    </DecryptTemplate>
  </Notice>
)
