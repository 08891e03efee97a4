import type { Child } from 'hono/jsx'
import { SCRIPTS } from '../assets.generated.ts'
import { EmailField, UsernameField } from '../components/fields.tsx'
import { Notice } from '../layout/layout.tsx'
import type { SignInMethods } from './sign-in-methods.ts'

export const ReturnField = ({ path }: { path: string }) => <input type="hidden" name="return" value={path} />

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

/** For a browser that didn't request the link: someone may be tricking its user into their own account. */
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
  readonly username: string | null
  readonly problem: string | null
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
        <UsernameField problem={problem ?? undefined} {...(username !== null && { value: username })} />
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
    <p>
      If you think that’s a mistake, <a href="/about#contact">contact us</a>.
    </p>
  </Notice>
)

export interface SignInProblems {
  readonly email?: string | undefined
  readonly username?: string | undefined
  readonly general?: string | undefined
}

export interface SignInProps {
  readonly methods: SignInMethods
  readonly returnTo: string
  readonly signedIn: boolean
  readonly email?: string
  readonly username?: string
  readonly problems?: SignInProblems
}

const GeneralProblem = ({ problem }: { problem: string | undefined }) =>
  problem ? (
    <p class="error" role="alert">
      {problem}
    </p>
  ) : null

const NoSignInMethod = () => (
  <p>
    Nobody can sign in here yet, because this server isn’t set up for email or GitHub. If it’s yours, create
    accounts and API keys on the command line: <code>npm run admin -- user add NAME --email EMAIL</code>
  </p>
)

const hasNoMethod = ({ sendEmail, gitHub }: SignInMethods) => sendEmail === null && !gitHub

export const SignInPage = ({ methods, returnTo, signedIn, email, problems = {} }: SignInProps) => (
  <Notice title="Sign in" signedIn={signedIn} scripts={[SCRIPTS.submitOnce]}>
    <GeneralProblem problem={problems.general} />
    {hasNoMethod(methods) && <NoSignInMethod />}
    {methods.sendEmail && (
      <form method="post" action="/sign-in">
        <ReturnField path={returnTo} />
        <EmailField
          value={email}
          autofocus
          hint="We’ll email you a sign-in link. You don’t need a password."
          problem={problems.email}
        />
        <button type="submit">Send sign-in link</button>
      </form>
    )}
    {methods.sendEmail && methods.gitHub && <p class="divider">or</p>}
    {methods.gitHub && (
      <form method="post" action="/sign-in/github">
        <ReturnField path={returnTo} />
        <button type="submit" class="quiet">
          Continue with GitHub
        </button>
      </form>
    )}
    {!hasNoMethod(methods) && (
      <p>
        New here? <a href={`/sign-up?${new URLSearchParams({ return: returnTo })}`}>Create an account</a>
      </p>
    )}
  </Notice>
)

export const SignUpPage = ({ methods, returnTo, signedIn, email, username, problems = {} }: SignInProps) => (
  <Notice title="Sign up" signedIn={signedIn} scripts={[SCRIPTS.submitOnce, SCRIPTS.usernameCheck]}>
    <GeneralProblem problem={problems.general} />
    {hasNoMethod(methods) ? (
      <NoSignInMethod />
    ) : (
      <form method="post" action="/sign-up">
        <ReturnField path={returnTo} />
        {methods.sendEmail && (
          <EmailField
            value={email}
            hint="We’ll email you a link to confirm your address. Other users won’t see the address."
            problem={problems.email}
          />
        )}
        <UsernameField problem={problems.username} {...(username !== undefined && { value: username })} />
        {methods.sendEmail && <button type="submit">Sign up</button>}
        {methods.gitHub && (
          // GitHub provides the email address, and a username if none was entered.
          <button type="submit" class="quiet" formaction="/sign-in/github" formnovalidate>
            Continue with GitHub
          </button>
        )}
      </form>
    )}
    <p>
      Already have an account? <a href={`/sign-in?${new URLSearchParams({ return: returnTo })}`}>Sign in</a>
    </p>
  </Notice>
)

export const SignOutPage = ({ signedIn }: { signedIn: boolean }) => (
  <Notice title="Sign out" signedIn={signedIn}>
    {signedIn ? (
      <form method="post" action="/sign-out">
        <button type="submit">Sign out</button>
      </form>
    ) : (
      <p>You’re not signed in.</p>
    )}
  </Notice>
)
