import type { Document } from '../../documents/model/document.ts'
import { CHECKBOXES, type Checkbox, MAX_TITLE_CHARACTERS, SETTINGS } from '../../shared/settings.ts'
import { PasswordInput } from '../components/password-form.tsx'
import { CheckboxFields, ExpiryField, LanguageField, VisibilityField } from '../settings/settings-fields.tsx'
import { type CodeEditorOptions, codeEditorData } from './code-editor-options.ts'
import { ContentField } from './content-field.tsx'
import type { EditOffer } from './edit-offer.ts'
import { detectLineBreaks, type EditValues, type SettingsValues } from './edit-values.ts'

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

interface SettingsProps {
  readonly values: SettingsValues
  readonly offer: EditOffer
}

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
}: SettingsProps) => (
  <fieldset class="settings">
    <legend>Settings</legend>
    {title !== null && <TitleField value={title} />}
    <LanguageField value={language} />
    <ExpiryField value={expires} canKeep offered={offer.expires} />
    {offer.visibility && <VisibilityField value={visibility} />}
    <CheckboxFields values={checkboxes} names={CHECKBOXES.filter((name) => isOfferedCheckbox(name, offer))} />
    {!offer.earlierExpiry && (
      <p class="hint">Only the author can choose an earlier expiry or “{SETTINGS.instant_delete.label}”.</p>
    )}
  </fieldset>
)

/** The password that opened the text, in a hidden field. If it's no longer right, the user enters it again. */
const DocumentPassword = ({ password, wrong }: { password: string; wrong: boolean }) =>
  wrong ? (
    <PasswordInput wrong describedBy="problem" />
  ) : (
    <input type="hidden" name="password" value={password} />
  )

/** Returns a warning about what editing a text in a form changes besides; null if nothing. */
function findLossWarning(text: string): string | null {
  if (text.includes('\0')) {
    return 'This text contains NUL characters. If you edit it here, each one becomes “�”. To keep them, edit the document through the API.'
  }
  return detectLineBreaks(text) === 'mixed'
    ? 'This text has mixed line breaks. If you edit it here, they’ll all be converted to LF.'
    : null
}

/** What the form needs to know about its document. */
export type EditedDocument = Pick<Document, 'id' | 'language'>

/** Who edits, and with which settings. */
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
  /** Whether the page shows a problem above the form. */
  readonly hasProblem?: boolean
  readonly wrongPassword?: boolean
  /** The stored text; null if the form contains another, or none. */
  readonly stored?: string | null
}

/** The form that edits a document. */
export const EditForm = ({
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
