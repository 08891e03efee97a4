import type { Child } from 'hono/jsx'
import { CHOICES, type ChoiceName, type FormSettings } from '../../shared/form-settings.ts'
import { LANGUAGES } from '../../shared/languages.ts'
import {
  CHECKBOXES,
  type Checkbox,
  type Flags,
  MAX_LANGUAGE_CHARACTERS,
  SETTINGS,
} from '../../shared/settings.ts'
import { useFrame } from '../layout/page.tsx'

interface ChoiceFieldProps {
  readonly name: ChoiceName
  readonly value: string
  /** Come before the options that every form offers, as value and label. */
  readonly moreOptions?: readonly (readonly [string, string])[]
  /** By default all. */
  readonly offered?: readonly string[]
  readonly hint?: string
}

export const ChoiceField = ({ name, value, moreOptions = [], offered, hint }: ChoiceFieldProps) => (
  <p class="field">
    <label for={name}>{CHOICES[name].label}</label>
    <select id={name} name={name} aria-describedby={hint && `${name}-hint`}>
      {[
        ...moreOptions,
        ...Object.entries<string>(CHOICES[name].options).filter(
          ([option]) => offered?.includes(option) ?? true,
        ),
      ].map(([option, label]) => (
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
export const LanguageInput = ({ value }: { value: string }) => (
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

const KEEP_EXPIRY = [['keep', 'Don’t change']] as const

interface ExpiryFieldProps {
  readonly value: string
  readonly canKeep?: boolean
  readonly offered?: readonly string[]
}

export const ExpiryField = ({ value, canKeep = false, ...offer }: ExpiryFieldProps) => (
  <ChoiceField name="expires" value={value} moreOptions={canKeep ? KEEP_EXPIRY : []} {...offer} />
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

interface CheckboxFieldsProps {
  readonly values: Flags<Checkbox>
  readonly names?: readonly Checkbox[]
}

export const CheckboxFields = ({ values, names = CHECKBOXES }: CheckboxFieldsProps) => (
  <>
    {names.map((name) => (
      <CheckboxField name={name} checked={values[SETTINGS[name].property]}>
        {SETTINGS[name].label}
      </CheckboxField>
    ))}
  </>
)

/** Without the password, the editors and a gist. */
export const SettingsFields = ({ values }: { values: FormSettings }) => (
  <>
    <LanguageInput value={values.language} />
    <ExpiryField value={values.expires} />
    <VisibilityField value={values.visibility} />
    <ChoiceField name="link" value={values.link} />
    <ChoiceField name="encryption" value={values.encryption} />
    <CheckboxFields values={values} />
  </>
)
