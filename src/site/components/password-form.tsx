import type { Document } from '../../documents/document.ts'
import { Problem } from '../layout/errors.tsx'
import { Form } from './form.tsx'

/** For pages that ask for something before they show a document, and have no navigation. */
export const ReportLink = ({ document }: { document: Document }) => (
  <p class="quiet-text">
    <a href={`/${document.id}/report`}>Report this document</a>
  </p>
)

interface PasswordInputProps {
  readonly wrong: boolean
  readonly describedBy: string
  readonly autofocus?: boolean
}

export const PasswordInput = ({ wrong, describedBy, autofocus = false }: PasswordInputProps) => (
  <>
    <label for="password">Password</label>
    <input
      type="password"
      id="password"
      name="password"
      required
      autofocus={autofocus}
      autocomplete="off"
      aria-invalid={wrong ? 'true' : undefined}
      aria-describedby={describedBy}
    />
  </>
)

/** For use without scripts: the server decrypts, so it sees the password. */
export const PasswordField = ({ problem }: { problem: string | null }) => (
  <>
    {problem !== null && <Problem id="password-error">{problem}</Problem>}
    <PasswordInput
      wrong={problem !== null}
      describedBy={problem === null ? 'password-hint' : 'password-error password-hint'}
      autofocus
    />
    {/* Scripts replace this hint if they can decrypt in the browser. */}
    <p class="hint" id="password-hint">
      The password is sent to the server, which decrypts the document and doesn’t store the password. If your
      link contains a #, the part after it is the password.
    </p>
  </>
)

interface DocumentPasswordFormProps {
  readonly action: string
  readonly button: string
  readonly wrong: boolean
}

export const DocumentPasswordForm = ({ action, button, wrong }: DocumentPasswordFormProps) => (
  <Form action={action} button={button}>
    <PasswordField problem={wrong ? 'Wrong password. Try again.' : null} />
  </Form>
)
