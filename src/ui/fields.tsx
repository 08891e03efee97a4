import type { Child } from 'hono/jsx'
import {
  CHOICES,
  type ChoiceName,
  type FormSettings,
  VISIBILITY_FOR_ACCOUNTS,
} from '../shared/form-settings.ts'
import { AUTO, LANGUAGES } from '../shared/languages.ts'
import { CHECKBOXES, MAX_LANGUAGE_CHARACTERS, SETTINGS } from '../shared/settings.ts'
import { Problem } from './errors.tsx'
import { Form } from './form.tsx'
import { usePage } from './page.tsx'

/*
 * Every form of the site is made of these, in a `Form`. A page gives a field its name and what was typed; labels, hints, problems and
 * what ties them together for screen readers are here.
 */

interface LabelledFieldProps {
  readonly label: Child
  readonly id: string
  readonly hint?: Child
  readonly problem?: Child
}

const LabelledField = ({ label, id, hint, problem, children }: LabelledFieldProps & { children: Child }) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    <Notes id={id} hint={hint} problem={problem} />
  </div>
)

/** Shows the texts that `describe` refers to. */
const Notes = ({ id, hint, problem }: Omit<LabelledFieldProps, 'label'>) => (
  <>
    {problem && <Problem id={`${id}-problem`}>{problem}</Problem>}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </>
)

/** The attributes of a control that say what is wrong with it. The problem is read out before the hint. */
const describe = ({ id, hint, problem }: Omit<LabelledFieldProps, 'label'>) => ({
  id,
  'aria-invalid': problem ? ('true' as const) : undefined,
  'aria-describedby':
    [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
})

interface ControlProps extends Omit<LabelledFieldProps, 'id'> {
  readonly name: string
  readonly id?: string
}

interface FieldProps extends ControlProps {
  readonly type?: 'text' | 'email' | 'password'
  readonly value?: string | undefined
  readonly required?: boolean
  readonly placeholder?: string
  readonly autocomplete?: string
  readonly autofocus?: boolean
  readonly maxlength?: number
  /** The id of a `datalist`. */
  readonly list?: string
  /** A script completes usernames. */
  readonly 'data-complete'?: boolean
  /** Elements that belong to the field, such as its `datalist`. */
  readonly children?: Child
}

export const Field = ({
  label,
  hint,
  problem,
  name,
  id = name,
  type = 'text',
  required = true,
  autocomplete = 'off',
  autofocus = problem !== undefined,
  children,
  ...input
}: FieldProps) => (
  <LabelledField label={label} id={id} hint={hint} problem={problem}>
    <input
      type={type}
      name={name}
      required={required}
      autocomplete={autocomplete}
      autofocus={autofocus}
      spellcheck={false}
      autocapitalize="off"
      {...describe({ id, hint, problem })}
      {...input}
    />
    {children}
  </LabelledField>
)

interface TextAreaProps extends ControlProps {
  readonly value: string
  readonly rows: number
  readonly required?: boolean
}

export const TextArea = ({ label, hint, problem, name, id = name, value, rows, required }: TextAreaProps) => (
  <LabelledField label={label} id={id} hint={hint} problem={problem}>
    <textarea
      name={name}
      rows={rows}
      required={required}
      autofocus={problem !== undefined}
      {...describe({ id, hint, problem })}
    >
      {/* HTML parsers drop a line break at the start of a textarea. */}
      {`\n${value}`}
    </textarea>
  </LabelledField>
)

interface SelectProps extends ControlProps {
  readonly value: string
  /** The labels by their values. */
  readonly options: Readonly<Record<string, string>>
}

export const Select = ({ label, hint, problem, name, id = name, value, options }: SelectProps) => (
  <LabelledField label={label} id={id} hint={hint} problem={problem}>
    <select name={name} {...describe({ id, hint, problem })}>
      {Object.entries(options).map(([option, text]) => (
        <option value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  </LabelledField>
)

interface ChoiceProps {
  readonly name: string
  readonly value?: string
  readonly checked?: boolean
  readonly children: Child
}

export const Checkbox = ({ name, value = 'yes', checked, children }: ChoiceProps) => (
  <label class="choice">
    <input type="checkbox" name={name} value={value} checked={checked} /> {children}
  </label>
)

interface ChoicesProps extends Pick<SelectProps, 'name' | 'options' | 'hint' | 'problem'> {
  readonly legend: string
  /** Is null if nothing is chosen yet. */
  readonly value: string | null
  /** Gives the focus to what is chosen, so that the arrows go on from there. */
  readonly autofocus?: boolean
}

export const Choices = ({ legend, name, value, options, hint, problem, autofocus = false }: ChoicesProps) => (
  <fieldset aria-describedby={describe({ id: name, hint, problem })['aria-describedby']}>
    <legend>{legend}</legend>
    {Object.entries(options).map(([option, text], index) => (
      <label class="choice">
        <input
          type="radio"
          name={name}
          value={option}
          required
          checked={option === value}
          autofocus={problem === undefined ? autofocus && option === value : index === 0}
        />{' '}
        {text}
      </label>
    ))}
    <Notes id={name} hint={hint} problem={problem} />
  </fieldset>
)

export const ChoiceField = ({ name, ...props }: { name: ChoiceName; value: string; hint?: string }) => (
  <Select label={CHOICES[name].label} name={name} options={CHOICES[name].options} {...props} />
)

/** It's no list, since documents can have languages that the site doesn't know. */
const LanguageInput = ({ value }: { value: string }) => (
  <Field
    label={SETTINGS.language.label}
    name="language"
    value={value === AUTO ? '' : value}
    placeholder="Detected from the text"
    required={false}
    list="languages"
    maxlength={MAX_LANGUAGE_CHARACTERS}
  >
    <datalist id="languages">
      {LANGUAGES.map(({ name, label }) => (
        <option value={name}>{label}</option>
      ))}
    </datalist>
  </Field>
)

export const useVisibilityOptions = () =>
  usePage().openToAll ? CHOICES.visibility.options : VISIBILITY_FOR_ACCOUNTS

/** A server without public lists has nothing to choose. */
export const VisibilityField = ({ value }: { value: string }) => {
  const { explore, openToAll } = usePage()
  const options = useVisibilityOptions()
  if (!explore) return null
  const listed = `Public documents are listed on Explore${openToAll ? ' and found by search engines' : ', for all accounts'}`
  return (
    <Select
      label={CHOICES.visibility.label}
      name="visibility"
      options={options}
      value={value}
      hint={`${listed}, unless they’re encrypted or deleted after first read.`}
    />
  )
}

/** Leaves out the password, the editors and a gist. */
export const SettingsFields = ({ values }: { values: FormSettings }) => (
  <>
    <VisibilityField value={values.visibility} />
    <LanguageInput value={values.language} />
    <ChoiceField name="expires" value={values.expires} />
    <ChoiceField name="encryption" value={values.encryption} />
    {CHECKBOXES.map((name) => (
      <Checkbox name={name} checked={values[SETTINGS[name].property]}>
        {SETTINGS[name].label}
      </Checkbox>
    ))}
    <ChoiceField name="link" value={values.link} />
  </>
)

export const EmailField = (props: Pick<FieldProps, 'value' | 'autofocus' | 'hint' | 'problem'>) => (
  <Field label="Email" name="email" type="email" autocomplete="email" maxlength={254} {...props} />
)

export const UsernameField = (props: Pick<FieldProps, 'value' | 'autofocus' | 'problem'>) => (
  <Field
    label="Username"
    name="username"
    autocomplete="username"
    maxlength={30}
    hint={
      <>
        3 to 30 letters, digits, hyphens or underscores. <span id="username-state" role="status" />
      </>
    }
    {...props}
  />
)

interface DocumentPasswordFormProps {
  readonly action: string
  readonly button: string
  /** Is false if the form only asks whether to read the document. */
  readonly encrypted?: boolean
  readonly wrong: boolean
  readonly problem?: string
}

/** Works without scripts: the server decrypts, so it sees the password. */
export const DocumentPasswordForm = ({
  encrypted = true,
  wrong,
  problem = 'Wrong password. Try again.',
  ...form
}: DocumentPasswordFormProps) => (
  <Form {...form}>
    {encrypted && (
      <Field
        label="Password"
        name="password"
        type="password"
        autofocus
        // Scripts replace this hint if they can decrypt in the browser.
        hint="The password is sent to the server, which decrypts the document and doesn’t store the password. If your link contains a #, the part after it is the password."
        problem={wrong ? problem : undefined}
      />
    )}
  </Form>
)

export const BackLink = ({ to, children }: { to: string; children: string }) => (
  <p>
    <a href={to} class="button quiet">
      {children}
    </a>
  </p>
)

interface SectionProps {
  readonly id: string
  readonly title: string
  /** A button beside the title. */
  readonly action?: Child
  readonly children: Child
}

export const Section = ({ id, title, action, children }: SectionProps) => (
  <section aria-labelledby={id} class="section stack">
    <div class="row apart">
      <h2 id={id}>{title}</h2>
      {action}
    </div>
    {children}
  </section>
)

export const Items = ({ children }: { children: Child }) => <ul class="card items">{children}</ul>

interface ItemProps {
  readonly title: Child
  /** A sentence or short facts. Facts that are null are left out. */
  readonly text?: string | readonly Child[]
  /** The words that somebody wrote about it. */
  readonly quote?: string | null
  readonly children?: Child
}

/** Something that isn't a document, such as a setting, a key or a block: what it is, how it is, and what can be done. */
export const Item = ({ title, text, quote = null, children }: ItemProps) => (
  <li class="row apart">
    <div>
      <strong>{title}</strong>
      {text && <div class="facts-line">{[text].flat().map((fact) => fact && <span>{fact}</span>)}</div>}
      {quote !== null && <Quote>{quote}</Quote>}
    </div>
    {children}
  </li>
)

export const Quote = ({ children }: { children: string }) => <blockquote class="quote">{children}</blockquote>
