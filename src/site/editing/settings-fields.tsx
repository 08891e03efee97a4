import type { Child } from 'hono/jsx'
import {
  type Defaults,
  ENCRYPTIONS,
  LIFETIMES,
  LINKS,
  VISIBILITIES,
} from '../../accounts/profile/defaults.ts'
import { LANGUAGES } from '../../shared/languages.ts'

interface ChoiceProps<Value extends string> {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly choices: readonly Value[]
  readonly labels: Readonly<Record<Value, string>>
}

const Choice = <Value extends string>({ name, label, value, choices, labels }: ChoiceProps<Value>) => (
  <p class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {choices.map((choice) => (
        <option value={choice} selected={choice === value}>
          {labels[choice]}
        </option>
      ))}
    </select>
  </p>
)

interface CheckProps {
  readonly name: string
  readonly checked: boolean
  readonly children: Child
}

export const Check = ({ name, checked, children }: CheckProps) => (
  <label class="choice">
    <input type="checkbox" name={name} value="yes" checked={checked} /> {children}
  </label>
)

/** A name that nobody knows is stored all the same, so it is a field with suggestions and no list. */
export const LanguageField = ({ value }: { value: string }) => (
  <p class="field">
    <label for="language">Language</label>
    <input
      id="language"
      name="language"
      value={value}
      list="languages"
      maxlength={100}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-describedby="language-hint"
    />
    <span class="hint" id="language-hint">
      “auto” finds it out from the text.
    </span>
    <datalist id="languages">
      <option value="auto">Found out from the text</option>
      {LANGUAGES.map(({ name, label }) => (
        <option value={name}>{label}</option>
      ))}
    </datalist>
  </p>
)

const LIFETIME_LABELS = {
  keep: 'Stays as it is',
  hour: 'After 1 hour',
  day: 'After 1 day',
  week: 'After 7 days',
  month: 'After 30 days',
  year: 'After 1 year',
  never: 'Never',
} as const

interface LifetimeProps {
  readonly value: string
  /** Of a document that is there already, whose expiration may stay. */
  readonly mayKeep?: boolean
}

export const LifetimeField = ({ value, mayKeep = false }: LifetimeProps) => (
  <Choice
    name="expires"
    label="Expires"
    value={value}
    choices={mayKeep ? (['keep', ...LIFETIMES] as const) : LIFETIMES}
    labels={LIFETIME_LABELS}
  />
)

export const VisibilityField = ({ value }: { value: string }) => (
  <Choice
    name="visibility"
    label="Who may find it"
    value={value}
    choices={VISIBILITIES}
    labels={{ unlisted: 'Only who has the link', public: 'Everybody: it is listed' }}
  />
)

export const OnceField = ({ checked }: { checked: boolean }) => (
  <Check name="once" checked={checked}>
    Delete it when its first reader has seen it
  </Check>
)

export const ImageField = ({ checked }: { checked: boolean }) => (
  <Check name="image" checked={checked}>
    Show a picture of it where its link is posted
  </Check>
)

/** All that can be set for a new document beside its own password and editors. */
export const SettingsFields = ({ values }: { values: Defaults }) => (
  <>
    <LanguageField value={values.language} />
    <LifetimeField value={values.expires} />
    <VisibilityField value={values.visibility} />
    <Choice
      name="link"
      label="Link"
      value={values.link}
      choices={LINKS}
      labels={{
        standard: '8 characters',
        short: '4 characters: short, and easy to guess',
        long: '36 characters: impossible to guess',
      }}
    />
    <Choice
      name="encryption"
      label="Encryption"
      value={values.encryption}
      choices={ENCRYPTIONS}
      labels={{
        none: 'None',
        generated: 'With a password that is made for it',
        own: 'With a password of your own',
      }}
    />
    <OnceField checked={values.once} />
    <ImageField checked={values.image} />
  </>
)
