import type { Child } from 'hono/jsx'
import { SCRIPTS } from '../assets.generated.ts'
import { EmailField, UsernameField } from '../components/fields.tsx'
import { Notice } from '../layout/layout.tsx'
import type { Ways } from './auth-for-request.ts'

export interface EntryProblems {
  readonly email?: string | undefined
  readonly username?: string | undefined
  readonly general?: string | undefined
}

interface EntryProps {
  readonly ways: Ways
  /** Where to go afterwards. */
  readonly back: string
  readonly signedIn: boolean
  readonly email?: string
  readonly username?: string
  readonly problems?: EntryProblems
}

const Back = ({ path }: { path: string }) => <input type="hidden" name="return" value={path} />

const General = ({ problem }: { problem: string | undefined }) =>
  problem ? (
    <p class="error" role="alert">
      {problem}
    </p>
  ) : null

/** Where the operator has set up neither mail nor GitHub, they make the accounts themselves. */
const NoWay = () => (
  <p>
    This server neither sends mail nor is connected to GitHub, so nobody can sign in here. Whoever runs it
    makes accounts and their API keys on the command line: <code>npm run user -- add NAME --email MAIL</code>
  </p>
)

const noWay = ({ sendMail, gitHub }: Ways) => sendMail === null && !gitHub

export const SignInPage = ({ ways, back, signedIn, email, problems = {} }: EntryProps) => (
  <Notice title="Sign in" signedIn={signedIn} scripts={[SCRIPTS.submitOnce]}>
    <General problem={problems.general} />
    {noWay(ways) && <NoWay />}
    {ways.sendMail && (
      <form method="post" action="/sign-in">
        <Back path={back} />
        <EmailField
          value={email}
          autofocus
          hint="We send you a link. There is no password to remember."
          problem={problems.email}
        />
        <button type="submit">Send sign-in link</button>
      </form>
    )}
    {ways.gitHub && (
      <form method="post" action="/sign-in/github">
        <Back path={back} />
        <button type="submit" class="quiet">
          Continue with GitHub
        </button>
      </form>
    )}
    {!noWay(ways) && (
      <p>
        No account yet? <a href={`/sign-up?${new URLSearchParams({ return: back })}`}>Make one</a>
      </p>
    )}
  </Notice>
)

export const SignUpPage = ({ ways, back, signedIn, email, username, problems = {} }: EntryProps) => (
  <Notice title="Sign up" signedIn={signedIn} scripts={[SCRIPTS.submitOnce, SCRIPTS.usernameCheck]}>
    <General problem={problems.general} />
    {noWay(ways) ? (
      <NoWay />
    ) : (
      <form method="post" action="/sign-up">
        <Back path={back} />
        {ways.sendMail && (
          <EmailField
            value={email}
            hint="We send you a link that proves it is yours. Nobody else sees it."
            problem={problems.email}
          />
        )}
        <UsernameField problem={problems.username} {...(username !== undefined && { value: username })} />
        {ways.sendMail && <button type="submit">Sign up</button>}
        {ways.gitHub && (
          // GitHub knows the address, and a name if none was chosen.
          <button type="submit" class="quiet" formaction="/sign-in/github" formnovalidate>
            Continue with GitHub
          </button>
        )}
      </form>
    )}
    <p>
      You have an account? <a href={`/sign-in?${new URLSearchParams({ return: back })}`}>Use it</a>
    </p>
  </Notice>
)

export const CheckMailPage = ({ email, signedIn }: { email: string; signedIn: boolean }) => (
  <Notice title="Look into your mail" signedIn={signedIn}>
    <p role="status">
      A link is on its way to <strong>{email}</strong>. It works once, for 15 minutes. Open it in this
      browser.
    </p>
    <p>Nothing there? Look among the spam, or check that the address is right.</p>
  </Notice>
)

interface LinkPageProps {
  readonly token: string
  readonly back: string
  readonly email: string
  readonly signedIn: boolean
}

const LinkForm = ({ token, back, children }: { token: string; back: string; children: Child }) => (
  <form method="post" action="/sign-in/link">
    <input type="hidden" name="token" value={token} />
    <Back path={back} />
    {children}
  </form>
)

/** Asks before a browser is signed in that did not ask for the link: somebody may have sent it a link of their own. */
export const ContinuePage = ({ token, back, email, signedIn }: LinkPageProps) => (
  <Notice title="Continue in this browser?" signedIn={signedIn} scripts={[SCRIPTS.submitOnce]}>
    <p>
      This link signs in the account of <strong>{email}</strong>. It was asked for in another browser. Go on
      only if that was you, and this is your address.
    </p>
    <LinkForm token={token} back={back}>
      <button type="submit">Continue and sign in</button>
    </LinkForm>
  </Notice>
)

interface ChooseNameProps extends LinkPageProps {
  readonly username?: string | undefined
  readonly problem?: string | undefined
}

/** For an address without an account, where no name was chosen, or somebody has taken it meanwhile. */
export const ChooseNamePage = ({ token, back, email, signedIn, username, problem }: ChooseNameProps) => (
  <Notice title="Choose a username" signedIn={signedIn} scripts={[SCRIPTS.submitOnce, SCRIPTS.usernameCheck]}>
    <p>
      There is no account with the address <strong>{email}</strong> yet. Choose a name, and there is.
    </p>
    <LinkForm token={token} back={back}>
      <UsernameField problem={problem} {...(username !== undefined && { value: username })} />
      <button type="submit">Make the account</button>
    </LinkForm>
  </Notice>
)

export const DeadLinkPage = ({ signedIn }: { signedIn: boolean }) => (
  <Notice title="This link does not work any more" signedIn={signedIn}>
    <p>A link works once, for 15 minutes. Perhaps you have used it already, or asked for another since.</p>
    <p>
      <a href="/sign-in">Ask for a new link</a>
    </p>
  </Notice>
)

export const SuspendedPage = ({ signedIn }: { signedIn: boolean }) => (
  <Notice title="This account is suspended" signedIn={signedIn}>
    <p>The people who run this site have stopped it. Only they can let you in again.</p>
  </Notice>
)

export const SignOutPage = ({ signedIn }: { signedIn: boolean }) => (
  <Notice title="Sign out" signedIn={signedIn}>
    {signedIn ? (
      <form method="post" action="/sign-out">
        <button type="submit">Sign out</button>
      </form>
    ) : (
      <p>You are not signed in.</p>
    )}
  </Notice>
)
