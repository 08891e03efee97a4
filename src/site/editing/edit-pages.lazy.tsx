import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/document.ts'
import { CHOICES } from '../../shared/form-settings.ts'
import { CHECKBOXES, type Checkbox, MAX_TITLE_CHARACTERS, SETTINGS } from '../../shared/settings.ts'
import { EDITING_STYLES, SCRIPTS } from '../assets.generated.ts'
import { getLanguageLabel, Time } from '../components/facts.tsx'
import { DocumentPasswordForm, PasswordInput } from '../components/password-form.tsx'
import { Problem } from '../layout/errors.tsx'
import { Layout } from '../layout/layout.tsx'
import { JweWorker, Verbatim } from '../layout/page.tsx'
import { CheckboxFields, ExpiryField, LanguageInput, VisibilityField } from '../settings/settings-fields.tsx'
import { type CodeEditorOptions, codeEditorData } from './code-editor-options.ts'
import { CodeEditorTemplates } from './code-editor-templates.tsx'
import { detectLineBreaks, type EditOffer, type EditValues, type SettingsValues } from './edit-values.ts'

interface ContentFieldProps {
  readonly text: string
  readonly describedBy: string | null
  readonly autofocus?: boolean
}

const ContentField = ({ text, describedBy, autofocus = false }: ContentFieldProps) => (
  <>
    <label for="content">Text</label>
    <textarea
      id="content"
      name="content"
      rows={18}
      required
      autofocus={autofocus}
      spellcheck={false}
      autocapitalize="off"
      aria-describedby={describedBy ?? undefined}
    >
      {/* The HTML parser drops a line break at the start. */}
      {`\n${text}`}
    </textarea>
  </>
)

const TitleField = ({ value }: { value: string }) => (
  <p class="field">
    <label for="title">{SETTINGS.title.label}</label>
    <input
      id="title"
      name="title"
      value={value}
      maxlength={MAX_TITLE_CHARACTERS}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-describedby="title-hint"
    />
    <span class="hint" id="title-hint">
      {SETTINGS.title.help}
    </span>
  </p>
)

function isOfferedCheckbox(name: Checkbox, { previewImage, burnAfterReading }: EditOffer): boolean {
  switch (name) {
    case 'image_embed':
      return previewImage
    case 'instant_delete':
      return burnAfterReading
    default:
      throw new TypeError(`Unknown checkbox: ${name satisfies never}`)
  }
}

const Settings = ({
  values: { title, language, expires, visibility, ...checkboxes },
  offer,
}: {
  values: SettingsValues
  offer: EditOffer
}) => (
  <fieldset class="settings">
    <legend>Settings</legend>
    {title !== null && <TitleField value={title} />}
    <LanguageInput value={language} />
    <ExpiryField value={expires} canKeep offered={offer.expires} />
    {offer.visibility && <VisibilityField value={visibility} />}
    <CheckboxFields values={checkboxes} names={CHECKBOXES.filter((name) => isOfferedCheckbox(name, offer))} />
    {!offer.earlierExpiry && (
      <p class="hint">Only the author can choose an earlier expiry or “{SETTINGS.instant_delete.label}”.</p>
    )}
  </fieldset>
)

/** If the password that opened the text is no longer right, the user enters it again. */
const DocumentPassword = ({ password, wrong }: { password: string; wrong: boolean }) =>
  wrong ? (
    <PasswordInput wrong describedBy="problem" />
  ) : (
    <input type="hidden" name="password" value={password} />
  )

function findLossWarning(text: string): string | null {
  if (text.includes('\0')) {
    return 'This text contains NUL characters. If you edit it here, each one becomes “�”. To keep them, edit the document through the API.'
  }
  return detectLineBreaks(text) === 'mixed'
    ? 'This text has mixed line breaks. If you edit it here, they’ll all be converted to LF.'
    : null
}

type EditedDocument = Pick<Document, 'id' | 'language'>

export interface EditAccess {
  readonly signedIn: boolean
  /** Whether a document token lets the browser edit: its script sends the token too. */
  readonly byToken: boolean
  /** Null if the viewer may not use settings. */
  readonly offer: EditOffer | null
}

interface EditFormProps {
  readonly document: EditedDocument
  readonly access: EditAccess
  readonly values: EditValues
  readonly button: string
  readonly codeEditor: CodeEditorOptions
  readonly hasProblem?: boolean
  readonly wrongPassword?: boolean
  /** The stored text; null if the form contains another, or none. */
  readonly stored?: string | null
}

const EditForm = ({
  document: { id, language },
  access: { byToken, offer },
  values: { version, text, password, settings },
  button,
  codeEditor,
  hasProblem = false,
  wrongPassword = false,
  stored = null,
}: EditFormProps) => {
  const lossWarning = stored === null ? null : findLossWarning(stored)
  return (
    <form
      method="post"
      action={`/${id}/edit`}
      enctype="multipart/form-data"
      autocomplete="off"
      class="document-form"
      id="edit"
      {...codeEditorData(codeEditor)}
      data-document={id}
      data-line-breaks={stored === null ? undefined : detectLineBreaks(stored)}
      data-any-date={offer?.latestExpiry === null && offer.earlierExpiry}
      data-by-token={byToken}
    >
      <input type="hidden" name="version" value={version} />
      {password !== null && <DocumentPassword password={password} wrong={wrongPassword} />}
      {text !== null && (
        <ContentField
          text={text}
          describedBy={hasProblem ? 'problem' : lossWarning ? 'loss-warning' : null}
        />
      )}
      {lossWarning && (
        <p class="hint" id="loss-warning">
          {lossWarning}
        </p>
      )}
      {settings && offer ? (
        <Settings values={settings} offer={offer} />
      ) : (
        <>
          {/* Only tells the code editor how to highlight. It has no name, so it isn't sent. */}
          <input type="hidden" id="language" value={language} />
          <p class="hint">
            To change settings, confirm your email address in <a href="/account">your account</a>.
          </p>
        </>
      )}
      <div class="actions">
        {/* Without the text, this isn't the page's main action: opening the text is. */}
        <button type="submit" class={text === null ? 'quiet' : undefined}>
          {button}
        </button>
        <a href={`/${id}`}>Back to the document</a>
        <a href={`/${id}/history`}>History</a>
      </div>
    </form>
  )
}

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
  readonly stored: string | null
}

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
  /** Null if the server was to decrypt it. */
  readonly jwe: string | null
  /** True if the server has to decrypt it, because it couldn't tell whether an editor knows the password. */
  readonly onServer: boolean
}

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
      <DocumentPasswordForm action={`/${document.id}/edit`} button="Edit text" wrong={wrong} />
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

const ConflictMessage = ({ document: { lastEditedBy, updatedAt } }: { document: Document }) => (
  <>
    Someone else saved this document after you opened it, so your changes aren’t saved yet.
    {lastEditedBy && (
      <>
        {' '}
        It was last edited by {lastEditedBy.username} on <Time at={updatedAt} />.
      </>
    )}{' '}
    Saving replaces the saved version, so copy what you need from it first.
  </>
)

const SavedText = ({ text }: { text: string }) => (
  <>
    <label for="saved-text">Saved text</label>
    <textarea id="saved-text" rows={18} readonly spellcheck={false}>
      {`\n${text}`}
    </textarea>
  </>
)

const SavedVersion = ({ document, children }: { document: Document; children: Child }) => (
  <section aria-labelledby="saved-version">
    <h2 id="saved-version">Saved version</h2>
    {children}
    <dl class="facts">
      {!document.encrypted && (
        <div>
          <dt>{SETTINGS.title.label}</dt>
          <dd>{document.givenTitle ?? 'None'}</dd>
        </div>
      )}
      <div>
        <dt>{SETTINGS.language.label}</dt>
        <dd>{getLanguageLabel(document)}</dd>
      </div>
      <div>
        <dt>{CHOICES.visibility.label}</dt>
        <dd>{CHOICES.visibility.options[document.public ? 'public' : 'unlisted']}</dd>
      </div>
      {CHECKBOXES.map((name) => (
        <div>
          <dt>{SETTINGS[name].label}</dt>
          <dd>{document[SETTINGS[name].property] ? 'Yes' : 'No'}</dd>
        </div>
      ))}
    </dl>
  </section>
)

interface ConflictPageProps {
  readonly document: Document
  readonly access: EditAccess
  readonly values: EditValues
  readonly codeEditor: CodeEditorOptions
  /** The text that is saved now; null if it isn't edited, or if the password that was sent doesn't open it. */
  readonly savedText: string | null
}

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
