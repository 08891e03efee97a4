import { MAX_REASON_CHARACTERS } from '../../moderation/removal-statements.ts'

/** The values of a form of the abuse desk, and their problems. */
export interface DeskForm {
  readonly kind: string
  readonly value: string
  readonly reason: string
  readonly blockContent: boolean
  readonly problems: Readonly<Partial<Record<'value' | 'reason' | 'form', string>>>
}

export const EMPTY_FORM: DeskForm = { kind: '', value: '', reason: '', blockContent: true, problems: {} }

interface TextFieldProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly hint: string
  readonly problem?: string | undefined
  readonly maxlength?: number
}

/** A required text field with its hint and its problem. */
export const TextField = ({ label, name, hint, problem, ...rest }: TextFieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      required
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      autofocus={problem !== undefined}
      aria-invalid={problem === undefined ? undefined : 'true'}
      aria-describedby={problem === undefined ? `${name}-hint` : `${name}-problem ${name}-hint`}
      {...rest}
    />
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
    {problem !== undefined && (
      <p class="error" role="alert" id={`${name}-problem`}>
        {problem}
      </p>
    )}
  </div>
)

interface KindFieldProps {
  readonly labels: Readonly<Record<string, string>>
  readonly selected: string
}

export const KindField = ({ labels, selected }: KindFieldProps) => (
  <div class="field">
    <label for="kind">Kind</label>
    <select id="kind" name="kind">
      {Object.entries(labels).map(([kind, label]) => (
        <option value={kind} selected={kind === selected}>
          {label}
        </option>
      ))}
    </select>
  </div>
)

interface ShortReasonProps {
  readonly form: DeskForm
  readonly hint: string
}

/** Asks for the reason in one line. */
export const ShortReason = ({ form: { reason, problems }, hint }: ShortReasonProps) => (
  <TextField
    label="Reason"
    name="reason"
    value={reason}
    hint={`At most ${MAX_REASON_CHARACTERS} characters. ${hint}`}
    problem={problems.reason}
  />
)

export const FormProblem = ({ form }: { form: DeskForm }) =>
  form.problems.form === undefined ? null : (
    <p class="error" role="alert" id="problem">
      {form.problems.form}
    </p>
  )
