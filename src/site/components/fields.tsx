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
  readonly problem?: string | undefined
}

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

export const EmailField = ({ value, ...props }: EmailFieldProps) => (
  <Field
    label="Email"
    name="email"
    type="email"
    autocomplete="email"
    maxlength={254}
    {...(value !== undefined && { value })}
    {...props}
  />
)

export const UsernameField = (props: { value?: string; problem?: string | undefined }) => (
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

export const Section = ({ id, title, children }: { id: string; title: string; children: Child }) => (
  <section aria-labelledby={id} class="section">
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

/** On a phone, where the header row is hidden, the column's title is shown before the value. */
export const Cell = ({ column, children }: { column: string; children: Child }) => (
  <td data-column={column}>{children}</td>
)
