import { CHOICES, type ChoiceName, type FormSettings } from '../../shared/form-settings.ts'
import { LANGUAGES } from '../../shared/languages.ts'
import { CHECKBOXES, MAX_LANGUAGE_CHARACTERS, SETTINGS } from '../../shared/settings.ts'
import { Checkbox, Field, Select } from '../components/fields.tsx'
import { useFrame } from '../layout/page.tsx'

interface ChoiceFieldProps {
  readonly name: ChoiceName
  readonly value: string
  readonly hint?: string
}

export const ChoiceField = ({ name, ...props }: ChoiceFieldProps) => (
  <Select label={CHOICES[name].label} name={name} options={CHOICES[name].options} {...props} />
)

/** Not a list: documents can have languages that the site doesn't know. */
const LanguageInput = ({ value }: { value: string }) => (
  <Field
    label={SETTINGS.language.label}
    name="language"
    value={value}
    required={false}
    list="languages"
    maxlength={MAX_LANGUAGE_CHARACTERS}
    hint={SETTINGS.language.help}
  >
    <datalist id="languages">
      <option value="auto">Detect automatically</option>
      {LANGUAGES.map(({ name, label }) => (
        <option value={name}>{label}</option>
      ))}
    </datalist>
  </Field>
)

/** On a server without public lists, there is nothing to choose. */
export const VisibilityField = ({ value }: { value: string }) =>
  useFrame().explore ? (
    <ChoiceField
      name="visibility"
      value={value}
      hint="Public documents are listed on Explore and found by search engines, unless they’re encrypted or deleted after first read."
    />
  ) : null

/** Without the password, the editors and a gist. */
export const SettingsFields = ({ values }: { values: FormSettings }) => (
  <>
    <LanguageInput value={values.language} />
    <ChoiceField name="expires" value={values.expires} />
    <VisibilityField value={values.visibility} />
    <ChoiceField name="link" value={values.link} />
    <ChoiceField name="encryption" value={values.encryption} />
    {CHECKBOXES.map((name) => (
      <Checkbox name={name} checked={values[SETTINGS[name].property]}>
        {SETTINGS[name].label}
      </Checkbox>
    ))}
  </>
)
