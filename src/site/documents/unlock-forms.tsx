interface FormProps {
  readonly action: string
  /** Whether the password that was sent before was wrong. */
  readonly wrong: boolean
}

const PasswordField = ({ wrong, problem }: { wrong: boolean; problem: string }) => (
  <>
    {wrong && (
      <p class="error" role="alert" id="password-error">
        {problem}
      </p>
    )}
    <label for="password">Password</label>
    <input
      type="password"
      id="password"
      name="password"
      required
      autofocus
      autocomplete="off"
      aria-invalid={wrong ? 'true' : undefined}
      aria-describedby={wrong ? 'password-error password-hint' : 'password-hint'}
    />
    {/* What a script does otherwise, it says otherwise. */}
    <p class="hint" id="password-hint">
      The password is sent to this server, which opens the document with it and keeps neither. If your link
      has a # in it, what follows the # is the password.
    </p>
  </>
)

/** Asks for a password without any script: the server decrypts, so it sees the password. */
export const PasswordForm = ({ action, button, wrong }: FormProps & { button: string }) => (
  <form method="post" action={action}>
    <PasswordField wrong={wrong} problem="This is not the password. Try again." />
    <button type="submit">{button}</button>
  </form>
)

/** The confirmation before a document is read and deleted. */
export const ReadOnceForm = ({ action, encrypted, wrong }: FormProps & { encrypted: boolean }) => (
  <form method="post" action={action}>
    {encrypted && (
      <PasswordField wrong={wrong} problem="This is not the password. Nothing was deleted; try again." />
    )}
    <button type="submit">Read and delete</button>
  </form>
)
