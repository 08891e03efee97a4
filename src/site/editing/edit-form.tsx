import type { Document } from '../../documents/model/document.ts'
import { type WritingLimits, writingData } from './code-editor-frame.ts'
import { TextField } from './content-field.tsx'
import { type EditValues, lineBreaksOf, type SettingsValues } from './edit-values.ts'
import { ImageField, LanguageField, LifetimeField, OnceField, VisibilityField } from './settings-fields.tsx'

const Settings = ({ language, expires, visibility, once, image }: SettingsValues) => (
  <fieldset class="settings">
    <legend>Settings</legend>
    <LanguageField value={language} />
    <LifetimeField value={expires} mayKeep />
    <VisibilityField value={visibility} />
    <OnceField checked={once} />
    <ImageField checked={image} />
  </fieldset>
)

/** Asked for anew only if it is not the password any more: else it travels along unseen. */
const DocumentPassword = ({ password, wrong }: { password: string; wrong: boolean }) =>
  wrong ? (
    <>
      <label for="password">Password of the document</label>
      <input
        type="password"
        id="password"
        name="password"
        required
        autocomplete="off"
        aria-invalid="true"
        aria-describedby="problem"
      />
    </>
  ) : (
    <input type="hidden" name="password" value={password} />
  )

/** What changing a text in a form changes beside. */
function losses(text: string): string | null {
  if (text.includes('\0')) {
    return 'This text has NUL characters, which no form can hold. If you change the text here, each becomes a “�”; the API changes it without.'
  }
  return lineBreaksOf(text) === 'mixed'
    ? 'The line breaks of this text are of several kinds. If you change the text here, they become alike.'
    : null
}

interface EditFormProps {
  readonly document: Pick<Document, 'id' | 'burnAfterReading' | 'language'>
  readonly values: EditValues
  readonly button: string
  readonly limits: WritingLimits
  /** Whether the page tells one above the form. */
  readonly hasProblem?: boolean
  readonly wrongPassword?: boolean
  /** The text as it is stored, where the form has it. */
  readonly stored?: string | null
}

/** The form that changes a document. */
export const EditForm = ({
  document: { id, burnAfterReading: instantDelete, language },
  values: { version, text, password, settings },
  button,
  limits,
  hasProblem = false,
  wrongPassword = false,
  stored = null,
}: EditFormProps) => {
  const lost = stored === null ? null : losses(stored)
  return (
    <form
      method="post"
      action={`/${id}/edit`}
      enctype="multipart/form-data"
      autocomplete="off"
      class="editor"
      id="edit"
      {...writingData(limits)}
      data-document={id}
      data-line-breaks={stored === null ? undefined : lineBreaksOf(stored)}
      data-once={instantDelete}
      data-confirmed={settings !== null}
    >
      <input type="hidden" name="version" value={version} />
      {password !== null && <DocumentPassword password={password} wrong={wrongPassword} />}
      {text !== null && <TextField text={text} describedBy={hasProblem ? 'problem' : lost ? 'lost' : null} />}
      {lost && (
        <p class="hint" id="lost">
          {lost}
        </p>
      )}
      {settings ? (
        <Settings {...settings} />
      ) : (
        <>
          {/* For the colours of the text alone: it has no name, and is not sent. */}
          <input type="hidden" id="language" value={language} />
          <p class="hint">
            To change settings, confirm your e-mail address: see <a href="/account">your account</a>.
          </p>
        </>
      )}
      <div class="actions">
        {/* Where the text is locked, opening it comes first. */}
        <button type="submit" class={text === null ? 'quiet' : undefined}>
          {button}
        </button>
        <a href={`/${id}`}>Back to the document</a>
      </div>
    </form>
  )
}
