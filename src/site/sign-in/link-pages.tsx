import type { Child } from 'hono/jsx'
import { SCRIPTS } from '../assets.generated.ts'
import { UsernameField } from '../components/fields.tsx'
import { Notice } from '../layout/layout.tsx'
import { ReturnField } from './return-field.tsx'

export const CheckEmailPage = ({ email, signedIn }: { email: string; signedIn: boolean }) => (
  <Notice icon="mail" title="Check your email" signedIn={signedIn}>
    <p role="status">
      We’ve sent a link to <strong>{email}</strong>. It works once and expires in 15 minutes. Open it in this
      browser.
    </p>
    <p>Not there? Check your spam folder, and check the address for typos.</p>
  </Notice>
)

interface LinkPageProps {
  readonly token: string
  readonly returnTo: string
  readonly email: string
  readonly signedIn: boolean
}

const LinkForm = ({ token, returnTo, children }: { token: string; returnTo: string; children: Child }) => (
  <form method="post" action="/sign-in/link">
    <input type="hidden" name="token" value={token} />
    <ReturnField path={returnTo} />
    {children}
  </form>
)

/**
 * Asks before signing in a browser that didn't request the link: someone may be tricking its user into their own
 * account.
 */
export const ConfirmSignInPage = ({ token, returnTo, email, signedIn }: LinkPageProps) => (
  <Notice title="Sign in with this browser?" signedIn={signedIn} scripts={[SCRIPTS.submitOnce]}>
    <p>
      This link signs you in as <strong>{email}</strong>, but it was requested in another browser. Continue
      only if you requested it and this is your email address.
    </p>
    <LinkForm token={token} returnTo={returnTo}>
      <button type="submit">Sign in</button>
    </LinkForm>
  </Notice>
)

interface ChooseUsernameProps extends LinkPageProps {
  readonly username?: string | undefined
  readonly problem?: string | undefined
}

/** For a new account whose username wasn't chosen before, or was taken in the meantime. */
export const ChooseUsernamePage = (props: ChooseUsernameProps) => {
  const { token, returnTo, email, signedIn, username, problem } = props
  return (
    <Notice
      title="Choose a username"
      signedIn={signedIn}
      scripts={[SCRIPTS.submitOnce, SCRIPTS.usernameCheck]}
    >
      <p>
        New here? Pick a username to create your account for <strong>{email}</strong>.
      </p>
      <LinkForm token={token} returnTo={returnTo}>
        <UsernameField problem={problem} {...(username !== undefined && { value: username })} />
        <button type="submit">Create account</button>
      </LinkForm>
    </Notice>
  )
}

export const InvalidLinkPage = ({ signedIn }: { signedIn: boolean }) => (
  <Notice title="This link no longer works" signedIn={signedIn}>
    <p>Each link works once and expires after 15 minutes. You may have used this one already.</p>
    <p>
      <a href="/sign-in" class="button">
        Request a new link
      </a>
    </p>
  </Notice>
)

export const SuspendedPage = ({ signedIn }: { signedIn: boolean }) => (
  <Notice icon="lock" title="Your account is suspended" signedIn={signedIn}>
    <p>The operator of this site has suspended your account. Only they can reactivate it.</p>
  </Notice>
)
