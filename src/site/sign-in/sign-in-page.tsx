import { SCRIPTS } from '../assets.generated.ts'
import { EmailField, UsernameField } from '../components/fields.tsx'
import { Notice } from '../layout/layout.tsx'
import { ReturnField } from './return-field.tsx'
import type { SignInMethods } from './sign-in-methods.ts'

export interface SignInProblems {
  readonly email?: string | undefined
  readonly username?: string | undefined
  readonly general?: string | undefined
}

interface SignInProps {
  readonly methods: SignInMethods
  /** Path to go to after signing in. */
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
    Nobody can sign in here yet, because this server isn’t set up for email or GitHub. Its operator can create
    accounts and API keys on the command line: <code>npm run user -- add NAME --email EMAIL</code>
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
