import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/model/document.ts'
import { EDITING_STYLES, SCRIPTS } from '../assets.generated.ts'
import { PasswordForm } from '../components/password-form.tsx'
import { Verbatim } from '../components/verbatim.tsx'
import { JweWorker } from '../layout/in-head.tsx'
import { Layout } from '../layout/layout.tsx'
import { Problem } from '../layout/problem.tsx'
import type { CodeEditorOptions } from './code-editor-options.ts'
import { CodeEditorTemplates } from './code-editor-templates.tsx'
import { ConflictMessage, SavedText, SavedVersion } from './conflict.tsx'
import { type EditAccess, type EditedDocument, EditForm } from './edit-form.tsx'
import type { EditValues } from './edit-values.ts'

interface FrameProps {
  readonly id: string
  readonly signedIn: boolean
  readonly children: Child
}

const Frame = ({ id, signedIn, children }: FrameProps) => (
  <Layout
    title={`Edit ${id}`}
    signedIn={signedIn}
    styles={[EDITING_STYLES]}
    scripts={[SCRIPTS.edit, SCRIPTS.submitOnce]}
  >
    <JweWorker />
    <h1>Edit {id}</h1>
    {children}
    <CodeEditorTemplates />
  </Layout>
)

interface EditPageProps {
  readonly document: EditedDocument
  readonly access: EditAccess
  readonly values: EditValues
  readonly codeEditor: CodeEditorOptions
  readonly problem?: Child
  readonly wrongPassword?: boolean
  /** The stored text; null if the form shows what the user typed. */
  readonly stored: string | null
}

/** Edits the text and the settings of a document. */
export const EditPage = ({ problem, ...form }: EditPageProps) => (
  <Frame id={form.document.id} signedIn={form.access.signedIn}>
    {problem && <Problem>{problem}</Problem>}
    <EditForm {...form} button="Save" hasProblem={Boolean(problem)} />
  </Frame>
)

interface LockedPageProps {
  readonly document: Document
  readonly access: EditAccess
  readonly values: EditValues
  readonly codeEditor: CodeEditorOptions
  readonly wrong: boolean
  /** The encrypted content, for the script that decrypts it in the browser; null if the server was to decrypt it. */
  readonly jwe: string | null
  /** True if the server has to decrypt it, because it couldn't tell whether an editor knows the password. */
  readonly onServer: boolean
}

/** Asks for the password of an encrypted document. Its settings can be changed without it. */
export const LockedPage = ({
  document,
  access,
  values,
  codeEditor,
  wrong,
  jwe,
  onServer,
}: LockedPageProps) => (
  <Frame id={document.id} signedIn={access.signedIn}>
    <div id="locked">
      <p>This document is encrypted. To edit its text, enter the password.</p>
      {onServer && (
        <p>
          Only the author can edit the text of this document without sending the password to the server. After
          the next save, editors can too.
        </p>
      )}
      <PasswordForm action={`/${document.id}/edit`} button="Edit text" wrong={wrong} />
      {values.settings && (
        <EditForm
          document={document}
          access={access}
          values={values}
          button="Save settings"
          codeEditor={codeEditor}
        />
      )}
    </div>
    {jwe !== null && (
      <>
        <template id="decrypted-form">
          <EditForm
            document={document}
            access={access}
            values={{ ...values, text: '' }}
            button="Save"
            codeEditor={codeEditor}
          />
        </template>
        <template id="jwe">
          <Verbatim text={jwe} />
        </template>
      </>
    )}
  </Frame>
)

interface ConflictPageProps {
  readonly document: Document
  readonly access: EditAccess
  readonly values: EditValues
  readonly codeEditor: CodeEditorOptions
  /** The text that is saved now; null if it isn't edited, or if the password that was sent doesn't open it. */
  readonly savedText: string | null
}

/** Shows the submitted text next to the version that somebody else saved in the meantime. */
export const ConflictPage = ({ document, access, values, codeEditor, savedText }: ConflictPageProps) => {
  const passwordChanged = values.text !== null && savedText === null
  return (
    <Frame id={document.id} signedIn={access.signedIn}>
      <Problem>
        <ConflictMessage document={document} />
      </Problem>
      <div class="side-by-side">
        <section aria-labelledby="your-version">
          <h2 id="your-version">Your version</h2>
          <EditForm
            document={document}
            access={access}
            values={values}
            button="Save anyway"
            codeEditor={codeEditor}
            hasProblem
            wrongPassword={passwordChanged}
          />
        </section>
        <SavedVersion document={document}>
          {savedText !== null && <SavedText text={savedText} />}
          {passwordChanged && (
            <p>
              We can’t show the saved text, because the document has a new password. To save your version,
              enter the new password.
            </p>
          )}
        </SavedVersion>
      </div>
    </Frame>
  )
}
