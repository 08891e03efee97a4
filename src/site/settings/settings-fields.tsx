import type { Child } from 'hono/jsx'
import { CHOICES, type ChoiceName, type FormSettings } from '../../shared/form-settings.ts'
import { LANGUAGES } from '../../shared/languages.ts'
import { CHECKBOXES, MAX_LANGUAGE_CHARACTERS, SETTINGS } from '../../shared/settings.ts'
import { useFrame } from '../layout/page.tsx'

interface ChoiceFieldProps {
  readonly name: ChoiceName
  readonly value: string
  readonly hint?: string
}

export const ChoiceField = ({ name, value, hint }: ChoiceFieldProps) => (
  <p class="field">
    <label for={name}>{CHOICES[name].label}</label>
    <select id={name} name={name} aria-describedby={hint && `${name}-hint`}>
      {Object.entries<string>(CHOICES[name].options).map(([option, label]) => (
        <option value={option} selected={option === value}>
          {label}
        </option>
      ))}
    </select>
    {hint && (
      <span class="hint" id={`${name}-hint`}>
        {hint}
      </span>
    )}
  </p>
)

interface CheckboxFieldProps {
  readonly name: string
  readonly checked: boolean
  readonly children: Child
}

export const CheckboxField = ({ name, checked, children }: CheckboxFieldProps) => (
  <label class="choice">
    <input type="checkbox" name={name} value="yes" checked={checked} /> {children}
  </label>
)

/** Not a list: documents can have languages that the site doesn't know. */
const LanguageInput = ({ value }: { value: string }) => (
  <p class="field">
    <label for="language">{SETTINGS.language.label}</label>
    <input
      id="language"
      name="language"
      value={value}
      list="languages"
      maxlength={MAX_LANGUAGE_CHARACTERS}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-describedby="language-hint"
    />
    <span class="hint" id="language-hint">
      {SETTINGS.language.help}
    </span>
    <datalist id="languages">
      <option value="auto">Detect automatically</option>
      {LANGUAGES.map(({ name, label }) => (
        <option value={name}>{label}</option>
      ))}
    </datalist>
  </p>
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
      <CheckboxField name={name} checked={values[SETTINGS[name].property]}>
        {SETTINGS[name].label}
      </CheckboxField>
    ))}
  </>
)
