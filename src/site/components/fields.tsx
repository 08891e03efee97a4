import type { Child } from 'hono/jsx'

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly id?: string
  readonly type?: 'text' | 'email'
  readonly value?: string
  readonly autocomplete: string
  readonly autofocus?: boolean
  readonly maxlength?: number
  readonly hint?: Child
  /** What is wrong with what was sent. */
  readonly problem?: string | undefined
}

/** A labelled field of one line, with what is wrong with it announced. */
export const Field = ({
  label,
  name,
  id = name,
  type = 'text',
  value,
  hint,
  problem,
  ...rest
}: FieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input
      type={type}
      id={id}
      name={name}
      value={value}
      required
      spellcheck={false}
      autocapitalize="off"
      aria-invalid={problem ? 'true' : undefined}
      aria-describedby={
        [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ') || undefined
      }
      {...rest}
    />
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {problem && (
      <p class="error" role="alert" id={`${id}-problem`}>
        {problem}
      </p>
    )}
  </div>
)

interface EmailFieldProps {
  readonly value?: string | undefined
  readonly autofocus?: boolean
  readonly hint: string
  readonly problem?: string | undefined
}

/** The field of an e-mail address. */
export const EmailField = ({ value, ...props }: EmailFieldProps) => (
  <Field
    label="E-mail"
    name="email"
    type="email"
    autocomplete="email"
    maxlength={254}
    {...(value !== undefined && { value })}
    {...props}
  />
)

interface UsernameFieldProps {
  readonly value?: string
  readonly problem?: string | undefined
}

/** The field of a username. A script says while it is typed whether it is free. */
export const UsernameField = (props: UsernameFieldProps) => (
  <Field
    label="Username"
    name="username"
    autocomplete="username"
    maxlength={30}
    hint={
      <>
        3 to 30 letters, digits, “_” and “-”. <span id="username-state" role="status" />
      </>
    }
    {...props}
  />
)
