import type { ApiKey } from '../../accounts/api-keys.ts'
import type { AccountDetails } from '../../accounts/profile.ts'
import { FRESH_SESSION_MINUTES } from '../../accounts/sessions.ts'
import type { FormSettings } from '../../shared/form-settings.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { ConfirmationButton, ConfirmationForm } from '../components/confirmation.tsx'
import { AccountPicture, Time } from '../components/facts.tsx'
import { EmailField, Section, UsernameField } from '../components/fields.tsx'
import { Layout, Notice } from '../layout/layout.tsx'
import { getProfilePath } from '../layout/page.tsx'
import { CheckboxField, SettingsFields } from '../settings/settings-fields.tsx'
import type { SignInMethods } from '../sign-in/sign-in-methods.ts'
import { ReturnField } from '../sign-in/sign-in-pages.lazy.tsx'
import type { KeyValues } from './key-form.ts'
import { KeysSection } from './keys-section.tsx'

export interface AccountProblems {
  readonly key?: string | undefined
  readonly github?: string | undefined
}

interface AccountProps {
  readonly details: AccountDetails
  readonly keys: readonly ApiKey[]
  readonly now: number
  readonly defaults: FormSettings
  readonly methods: SignInMethods
  readonly confirmed: boolean
  readonly admin: boolean
  readonly newKey?: string | undefined
  readonly done?: string | undefined
  readonly problems?: AccountProblems
  readonly typed?: KeyValues | undefined
}

const ProfileSection = ({ details, confirmed, methods, admin }: AccountProps) => (
  <Section id="profile" title="Profile">
    <div class="profile">
      <AccountPicture details={details} />
      <p>
        <strong>{details.username}</strong>, {details.email}
        <br />
        {details.documentsMade === 1 ? '1 document' : `${details.documentsMade} documents`} created since{' '}
        <Time at={details.createdAt} />.
      </p>
    </div>
    {!confirmed && (
      <p>
        Your email address isn’t confirmed, so you can’t use document settings yet.{' '}
        {methods.sendEmail
          ? 'To confirm it, sign out and sign in again with the link we email you.'
          : 'This server doesn’t send email, so ask us to confirm it.'}
      </p>
    )}
    <p class="actions">
      <a href="/account/profile" class="button quiet">
        Edit profile
      </a>
      {admin && (
        <a href="/moderation" class="button quiet">
          Reported documents
        </a>
      )}
    </p>
  </Section>
)

const DefaultsSection = ({ defaults }: AccountProps) => (
  <Section id="defaults" title="Defaults">
    <details>
      <summary>Defaults for new documents</summary>
      <form method="post" action="/account/defaults">
        <SettingsFields values={defaults} />
        <button type="submit">Save defaults</button>
      </form>
    </details>
  </Section>
)

const DataSection = () => (
  <Section id="data" title="Your data">
    <p>Download your account and all your documents as a ZIP file.</p>
    <p class="actions">
      <a href="/account/download" class="button quiet">
        Download your data
      </a>
    </p>
  </Section>
)

const GitHubStatus = ({ gitHub }: Pick<AccountDetails, 'gitHub'>) =>
  gitHub === null ? (
    <p>GitHub isn’t connected.</p>
  ) : (
    <p>
      Connected to {gitHub.login === null ? 'a GitHub account' : <strong>{gitHub.login}</strong>}.{' '}
      {gitHub.gists
        ? 'You can sign in with it and publish documents as gists.'
        : 'You can sign in with it, but you haven’t allowed gists yet.'}
    </p>
  )

const GitHubSection = ({ details, methods, problems }: AccountProps) =>
  methods.gitHub || details.gitHub ? (
    <Section id="github" title="GitHub">
      {problems?.github && (
        <p class="error" role="alert">
          {problems.github}
        </p>
      )}
      <GitHubStatus gitHub={details.gitHub} />
      {methods.gitHub && !details.gitHub?.gists && (
        <form method="post" action="/account/github/connect">
          <button type="submit">{details.gitHub === null ? 'Connect GitHub' : 'Allow gists'}</button>
        </form>
      )}
      {details.gitHub && (
        <form method="post" action="/account/github/disconnect">
          <button type="submit" class="quiet">
            Disconnect GitHub
          </button>
        </form>
      )}
    </Section>
  ) : null

const SignOutEverywhere = ({ keys }: Pick<AccountProps, 'keys'>) => {
  const action = '/account/sign-out-everywhere'
  if (keys.length === 0) {
    return (
      <form method="post" action={action} class="inline">
        <button type="submit" class="quiet">
          Sign out everywhere
        </button>
      </form>
    )
  }
  return (
    <ConfirmationButton
      id="sign-out-everywhere"
      title="Sign out everywhere?"
      button="Sign out everywhere"
      action={action}
    >
      <p>
        You’re signed out on all devices, this one included. API keys keep working unless you revoke them.
      </p>
      <label class="choice">
        <input type="checkbox" name="revoke_keys" value="yes" />{' '}
        {keys.length === 1 ? 'Revoke my API key, too' : `Revoke my ${keys.length} API keys, too`}
      </label>
    </ConfirmationButton>
  )
}

const DangerSection = ({ details, keys }: AccountProps) => (
  <Section id="danger" title="Danger zone">
    <ul class="rows">
      <li>
        <span>
          <strong>Sign out everywhere</strong>
          <br />
          {details.sessions === 1
            ? 'No other devices are signed in.'
            : `You’re signed in on ${details.sessions} devices.`}
        </span>
        <SignOutEverywhere keys={keys} />
      </li>
      <li>
        <span>
          <strong>Delete account</strong>
          <br />
          You choose what happens to your documents.
        </span>
        <a href="/account/delete" class="button quiet">
          Delete account
        </a>
      </li>
    </ul>
  </Section>
)

export const AccountPage = (props: AccountProps) => (
  <Layout title="Account" signedIn scripts={[SCRIPTS.submitOnce, SCRIPTS.copyButton]}>
    <h1>Account</h1>
    {props.done && (
      <p class="banner" role="status">
        {props.done}
      </p>
    )}
    <ProfileSection {...props} />
    <KeysSection
      keys={props.keys}
      now={props.now}
      newKey={props.newKey}
      problem={props.problems?.key}
      typed={props.typed}
    />
    <DefaultsSection {...props} />
    <GitHubSection {...props} />
    <DataSection />
    <DangerSection {...props} />
  </Layout>
)

export interface ProfilePageProps {
  readonly details: AccountDetails
  readonly methods: SignInMethods
  readonly explore: boolean
  readonly problems?: { readonly username?: string | undefined; readonly email?: string | undefined }
  readonly typed?: string
}

const ProfilePageForm = ({ details: { username, hasProfile } }: Pick<ProfilePageProps, 'details'>) => (
  <form method="post" action="/account/profile">
    <CheckboxField name="profile" checked={hasProfile}>
      Show a profile page
    </CheckboxField>
    <p class="hint">
      {hasProfile ? <a href={getProfilePath(username)}>Your profile page</a> : 'A profile page'} lists your
      public documents. Others can see it only while you have some.
    </p>
    <button type="submit" class="quiet">
      Save
    </button>
  </form>
)

export const ProfilePage = ({ details, methods, explore, problems, typed = '' }: ProfilePageProps) => (
  <Notice title="Your profile" signedIn scripts={[SCRIPTS.submitOnce, SCRIPTS.usernameCheck]}>
    <form method="post" action="/account/username" class="field-row">
      <UsernameField value={problems?.username ? typed : details.username} problem={problems?.username} />
      <button type="submit" class="quiet">
        Change username
      </button>
    </form>
    {methods.sendEmail ? (
      <form method="post" action="/account/email" class="field-row">
        <EmailField
          value={problems?.email ? typed : details.email}
          hint="We’ll email a link to your current address, then one to the new address."
          problem={problems?.email}
        />
        <button type="submit" class="quiet">
          Change email
        </button>
      </form>
    ) : (
      <p>
        Your email address is {details.email}. This server doesn’t send email, so you can’t change it here.
      </p>
    )}
    <div class="profile">
      <AccountPicture details={details} />
      {details.icon === null ? (
        <p>Your picture is generated. If you connect GitHub, we’ll use your picture from there.</p>
      ) : (
        <form method="post" action="/account/picture" class="inline">
          <button type="submit" class="quiet">
            Use a generated picture
          </button>
        </form>
      )}
    </div>
    {explore && <ProfilePageForm details={details} />}
  </Notice>
)

const DELETE_ACCOUNT_PATH = '/account/delete'

const BackToAccount = () => (
  <p>
    <a href="/account">Back to your account</a>
  </p>
)

export const DeleteAccountPage = ({ username }: { username: string }) => (
  <Notice title="Delete account" signedIn scripts={[SCRIPTS.submitOnce]}>
    <p>
      This deletes the account <strong>{username}</strong>. Your API keys stop working immediately, and you’re
      signed out everywhere. You can’t undo this, so <a href="/account/download">download your data</a> first
      if you want to keep it.
    </p>
    <ConfirmationForm button="Delete account" action={DELETE_ACCOUNT_PATH}>
      <fieldset>
        <legend>Your documents</legend>
        <label class="choice">
          <input type="radio" name="documents" value="delete" checked /> Delete them
        </label>
        <label class="choice">
          <input type="radio" name="documents" value="keep" /> Keep them, without an author
        </label>
        <p class="hint">If you keep them, nobody can edit or delete them.</p>
      </fieldset>
    </ConfirmationForm>
    <BackToAccount />
  </Notice>
)

interface ConfirmIdentityProps {
  readonly details: Pick<AccountDetails, 'email' | 'gitHub'>
  readonly methods: SignInMethods
}

export const ConfirmIdentityPage = ({ details, methods }: ConfirmIdentityProps) => {
  const offersGitHub = methods.gitHub && details.gitHub !== null
  return (
    <Notice title="Confirm it’s you" signedIn scripts={[SCRIPTS.submitOnce]}>
      <p>Before you can delete your account, sign in again. Then you have {FRESH_SESSION_MINUTES} minutes.</p>
      {methods.sendEmail && (
        <form method="post" action="/sign-in">
          <ReturnField path={DELETE_ACCOUNT_PATH} />
          <input type="hidden" name="email" value={details.email} />
          <button type="submit">Send sign-in link</button>
          <p class="hint">We’ll email it to {details.email}.</p>
        </form>
      )}
      {methods.sendEmail && offersGitHub && <p class="divider">or</p>}
      {offersGitHub && (
        <form method="post" action="/sign-in/github">
          <ReturnField path={DELETE_ACCOUNT_PATH} />
          <button type="submit" class="quiet">
            Continue with GitHub
          </button>
        </form>
      )}
      {!methods.sendEmail && !offersGitHub && (
        <p>
          You can’t sign in again, because this server doesn’t send email. <a href="/about#contact">Ask us</a>{' '}
          to delete your account.
        </p>
      )}
      <BackToAccount />
    </Notice>
  )
}
