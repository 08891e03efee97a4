import type { Child } from 'hono/jsx'
import type { FoundInvitation, InvitationProblem } from '../../accounts/invitations.ts'
import { INVITERS, offersSignUp } from '../../shared/sign-up.ts'
import { SCRIPTS } from '../../ui/assets.generated.ts'
import { Problem, type Problems } from '../../ui/errors.tsx'
import { BackLink, EmailField, UsernameField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/layout.tsx'
import { usePage } from '../../ui/page.tsx'
import { formatInvitationProblem, type SignInMethods } from './sign-in-methods.ts'

interface CheckEmailProps {
  readonly email: string
  /** The link has to be opened there. */
  readonly where?: string
  /** Only some addresses get emails: those with an account, and on a private server those that may have one. */
  readonly isForSome?: boolean
  /** The form that sends another link, and the page for another address. It's null if the link that led here is used up. */
  readonly again: {
    readonly action: string
    readonly hidden: Readonly<Record<string, string>>
    readonly other: string
  } | null
}

const LinkForSome = ({ email, where }: Required<Pick<CheckEmailProps, 'email' | 'where'>>) => {
  const { signUp } = usePage()
  const isBusy = signUp.domains === null
  return (
    <p role="status">
      {isBusy && 'Many people are asking for links right now, so we only send them to accounts. '}
      If <strong>{email}</strong>{' '}
      {isBusy || !offersSignUp(signUp) ? 'has an account' : 'has or may have an account here'}, a link is on
      its way: open it in {where} within 15 minutes.
      {isBusy && ' If you’re new here, try again in an hour.'}
    </p>
  )
}

export const CheckEmailPage = ({
  email,
  where = 'this browser',
  isForSome = false,
  again,
}: CheckEmailProps) => (
  <Notice icon="mail" title="Check your email" scripts={[SCRIPTS.form]}>
    {isForSome ? (
      <LinkForSome email={email} where={where} />
    ) : (
      <p role="status">
        We’ve sent a link to <strong>{email}</strong>. Open it in {where} within 15 minutes.
      </p>
    )}
    <p class="quiet-text">Not there? Look in your spam folder.</p>
    {again && (
      <div class="row">
        <Form {...again} layout="inline" button="Send again" look="quiet" />
        <a href={again.other} class="button quiet">
          Another address
        </a>
      </div>
    )}
  </Notice>
)

interface OpenedLinkProps {
  readonly token: string
  readonly returnTo: string
  readonly email: string
  /** Asks for the username of a new account that wasn't chosen before, or was taken in the meantime. */
  readonly choose?: { readonly username: string | null; readonly problem: string | null }
}

/**
 * Asks for a username, or whether to sign in with a browser that didn't request the link: someone may be tricking its
 * user into their own account.
 */
export const OpenedLinkPage = ({ token, returnTo, email, choose }: OpenedLinkProps) => (
  <Notice
    icon={choose ? 'user' : 'mail'}
    title={choose ? 'Choose a username' : 'Sign in with this browser?'}
    scripts={[SCRIPTS.form]}
  >
    {choose ? (
      <p>
        New here? Pick a username to create your account for <strong>{email}</strong>.
      </p>
    ) : (
      <p>
        This link signs you in as <strong>{email}</strong>, but it was requested in another browser. Continue
        only if you requested it and this is your email address.
      </p>
    )}
    <Form
      action="/sign-in/link"
      hidden={{ token, return: returnTo }}
      button={choose ? 'Create account' : 'Sign in'}
    >
      {choose && (
        <UsernameField problem={choose.problem ?? undefined} value={choose.username ?? undefined} autofocus />
      )}
    </Form>
  </Notice>
)

export const InvalidLinkPage = () => (
  <Notice icon="link" title="This link no longer works">
    <p>Each link works once and expires after 15 minutes. You may have used this one already.</p>
    <p>
      <a href="/sign-in" class="button">
        Request a new link
      </a>
    </p>
  </Notice>
)

export const SuspendedPage = () => (
  <Notice icon="lock" title="Your account is suspended" signedIn={false}>
    <p>
      If you think that’s a mistake, <a href="/about#contact">contact us</a>.
    </p>
  </Notice>
)

const OPERATOR_CREATES = 'On this server, the operator creates accounts.'

/** The address isn't one of those that may have an account. */
export const NoAccountPage = () => (
  <Notice icon="lock" title="You can’t create an account" signedIn={false}>
    <p>
      This server doesn’t take new accounts for your address. If it should,{' '}
      <a href="/about#contact">ask us</a>.
    </p>
  </Notice>
)

const needsInvitation = (inviters: keyof typeof INVITERS): string =>
  `On this server, an account takes an invitation from ${INVITERS[inviters]}.`

export const SignUpClosedPage = ({ returnTo }: { returnTo: string }) => {
  const { inviters } = usePage().signUp
  return (
    <Notice
      icon="lock"
      title={inviters === null ? 'Sign-up is closed' : 'You need an invitation'}
      signedIn={false}
    >
      <p>
        {inviters === null
          ? OPERATOR_CREATES
          : `${needsInvitation(inviters)} Ask for one, and open its link.`}{' '}
        If you have an account, you can sign in.
      </p>
      <p>
        <a href={toSignIn(returnTo)} class="button">
          Sign in
        </a>
      </p>
    </Notice>
  )
}

export const InvitationProblemPage = ({ problem }: { problem: InvitationProblem }) => (
  <Notice icon="link" title="This invitation doesn’t work" signedIn={false}>
    <p>{formatInvitationProblem(problem)}</p>
    <p>
      If you have an account, <a href="/sign-in">sign in</a>. Otherwise, ask whoever invited you for another
      invitation.
    </p>
  </Notice>
)

export interface SignUpInvitation {
  readonly token: string
  readonly invitation: FoundInvitation
}

export interface SignInProps {
  readonly invited?: SignUpInvitation | null
  readonly methods: SignInMethods
  readonly returnTo: string
  readonly signedIn?: boolean | undefined
  readonly email?: string
  readonly username?: string
  readonly problems?: Problems
}

const toSignIn = (returnTo: string): string => `/sign-in?${new URLSearchParams({ return: returnTo })}`

const NoSignInMethod = () => (
  <p>
    Nobody can sign in here yet, because this server isn’t set up for email, GitHub or single sign-on. If it’s
    yours, create accounts and API keys on the command line:{' '}
    <code>npm run admin -- user add NAME --email EMAIL</code>
  </p>
)

const hasNoMethod = ({ sendEmail, gitHub, oidc }: SignInMethods) =>
  sendEmail === null && !gitHub && oidc === null

interface ContinueProps {
  readonly at: 'oidc' | 'github'
  readonly name: string
  readonly returnTo: string
  /** It's the first way to sign in, so its button stands out. */
  readonly isFirst: boolean
}

const Continue = ({ at, name, returnTo, isFirst }: ContinueProps) => (
  <Form
    action={`/sign-in/${at}`}
    hidden={{ return: returnTo }}
    button={`Continue with ${name}`}
    look={isFirst ? undefined : 'quiet'}
  />
)

interface SignInAgainProps {
  readonly methods: SignInMethods
  readonly returnTo: string
  /** The address of the account; null if the form has to ask for it. */
  readonly email: string | null
  readonly children?: Child
}

/** Shows the ways to sign in, one below the other. */
export const SignInForms = ({ methods, returnTo, email, children }: SignInAgainProps) => (
  <>
    {methods.sendEmail && (
      <Form
        action="/sign-in"
        hidden={{ return: returnTo, ...(email !== null && { email }) }}
        button="Send sign-in link"
      >
        {children}
      </Form>
    )}
    {methods.oidc !== null && (
      <Continue at="oidc" name={methods.oidc} returnTo={returnTo} isFirst={!methods.sendEmail} />
    )}
    {methods.gitHub && <Continue at="github" name="GitHub" returnTo={returnTo} isFirst={false} />}
  </>
)

const NewHere = ({ returnTo }: { returnTo: string }) => {
  const { signUp } = usePage()
  return (
    <p class="quiet-text">
      New here?{' '}
      {offersSignUp(signUp) ? (
        <a href={`/sign-up?${new URLSearchParams({ return: returnTo })}`}>Create an account</a>
      ) : signUp.inviters === null ? (
        OPERATOR_CREATES
      ) : (
        needsInvitation(signUp.inviters)
      )}
    </p>
  )
}

export const SignInPage = ({ methods, returnTo, signedIn, email, problems = {} }: SignInProps) => (
  <Notice title="Sign in" signedIn={signedIn} scripts={[SCRIPTS.form]}>
    {problems.form && <Problem>{problems.form}</Problem>}
    {hasNoMethod(methods) && <NoSignInMethod />}
    <SignInForms methods={methods} returnTo={returnTo} email={null}>
      <EmailField
        value={email}
        autofocus
        hint="We’ll email you a sign-in link. You don’t need a password."
        problem={problems.email}
      />
    </SignInForms>
    {!hasNoMethod(methods) && <NewHere returnTo={returnTo} />}
  </Notice>
)

const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const SignUpHint = ({ invited }: { invited: boolean }) => {
  const { domains } = usePage().signUp
  return (
    <>
      {!invited &&
        domains &&
        `Use your address at ${ALTERNATIVES.format(domains.map((domain) => domain.slice(1)))}. `}
      We’ll email you a link to confirm your address. Other users won’t see the address.
    </>
  )
}

export const SignUpPage = ({
  methods,
  returnTo,
  signedIn,
  invited = null,
  email = invited?.invitation.email ?? undefined,
  username,
  problems = {},
}: SignInProps) => (
  <Notice title="Sign up" signedIn={signedIn} scripts={[SCRIPTS.form]}>
    {invited && (
      <p>
        {invited.invitation.creator === null ? (
          'You’re invited to create an account.'
        ) : (
          <>
            <strong>{invited.invitation.creator}</strong> invites you to create an account.
          </>
        )}
      </p>
    )}
    {problems.form && <Problem>{problems.form}</Problem>}
    {hasNoMethod(methods) ? (
      <NoSignInMethod />
    ) : (
      <Form action="/sign-up" hidden={{ return: returnTo, ...(invited && { invitation: invited.token }) }}>
        {methods.sendEmail && (
          <EmailField
            value={email}
            autofocus={problems.username === undefined}
            hint={<SignUpHint invited={invited !== null} />}
            problem={problems.email}
          />
        )}
        <UsernameField problem={problems.username} value={username} />
        {methods.sendEmail && <button type="submit">Sign up</button>}
        {methods.oidc !== null && (
          // The provider says the email address, and a username if none was entered.
          <button
            type="submit"
            class={methods.sendEmail ? 'quiet' : undefined}
            formaction="/sign-in/oidc"
            formnovalidate
          >
            Continue with {methods.oidc}
          </button>
        )}
        {methods.gitHub && (
          // GitHub provides the email address, and a username if none was entered.
          <button type="submit" class="quiet" formaction="/sign-in/github" formnovalidate>
            Continue with GitHub
          </button>
        )}
      </Form>
    )}
    <p class="quiet-text">
      Already have an account? <a href={toSignIn(returnTo)}>Sign in</a>
    </p>
  </Notice>
)

/** @param username of who is signed in. */
export const SignOutPage = ({ username }: { username: string | undefined }) =>
  username === undefined ? (
    <Notice icon="sign-out" title="You’re signed out" signedIn={false}>
      <BackLink to="/">Go to the home page</BackLink>
    </Notice>
  ) : (
    <Notice icon="sign-out" title="Sign out?" signedIn>
      <p>
        You’re signed in as <strong>{username}</strong>. To end every session, use “Sign out everywhere” in
        your account.
      </p>
      <Form action="/sign-out" button="Sign out" />
      <BackLink to="/account">Back to your account</BackLink>
    </Notice>
  )
