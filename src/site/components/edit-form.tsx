import type { Child } from 'hono/jsx'
import type { EditValues, SettingsValues } from '../edit-values.ts'
import { Problem } from '../problem.tsx'
import { ImageField, LanguageField, LifetimeField, OnceField, VisibilityField } from './settings-fields.tsx'
import { TextField } from './text-field.tsx'

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

interface EditFormProps {
  readonly id: string
  readonly values: EditValues
  readonly button: string
  readonly problem?: Child
  readonly wrongPassword?: boolean
  /** Whether the text has characters that a form can not hold. */
  readonly lossy?: boolean
}

/** The form that changes a document. */
export const EditForm = ({
  id,
  values: { version, text, password, settings },
  button,
  problem,
  wrongPassword = false,
  lossy = false,
}: EditFormProps) => (
  <form method="post" action={`/${id}/edit`} enctype="multipart/form-data">
    {problem && <Problem>{problem}</Problem>}
    <input type="hidden" name="version" value={version} />
    {password !== null && <DocumentPassword password={password} wrong={wrongPassword} />}
    {text !== null && <TextField text={text} describedBy={problem ? 'problem' : lossy ? 'lossy' : null} />}
    {lossy && (
      <p class="hint" id="lossy">
        This text has NUL characters, which no form can hold. If you change the text here, each becomes a “�”;
        the API changes it without.
      </p>
    )}
    {settings ? (
      <Settings {...settings} />
    ) : (
      <p class="hint">
        To change settings, confirm your e-mail address: see <a href="/account">your account</a>.
      </p>
    )}
    <div class="actions">
      <button type="submit">{button}</button>
      <a href={`/${id}`}>Back to the document</a>
    </div>
  </form>
)
