import type { Child } from 'hono/jsx'
import type { ApiKey } from '../../accounts/api-keys.ts'
import type { AccountDetails } from '../../accounts/profile.ts'
import { FRESH_SESSION_MINUTES } from '../../accounts/sessions.ts'
import type { FormSettings } from '../../shared/form-settings.ts'
import { formatMonth } from '../../shared/format.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { AccountPicture } from '../components/facts.tsx'
import { Checkbox, Choices, EmailField, Item, Items, Section, UsernameField } from '../components/fields.tsx'
import { CancelButton, ConfirmationButton, Dialog, Form, OpenButton } from '../components/form.tsx'
import { Problem } from '../layout/errors.tsx'
import { Layout, Notice } from '../layout/layout.tsx'
import { getProfilePath } from '../layout/page.tsx'
import { SettingsFields } from '../settings/settings-fields.tsx'
import type { SignInMethods } from '../sign-in/sign-in-methods.ts'
import { SignInForms } from '../sign-in/sign-in-pages.lazy.tsx'
import { KeysSection } from './keys.lazy.tsx'

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
  readonly gitHubProblem?: string | undefined
}

const QuietLink = ({ to, children }: { to: string; children: Child }) => (
  <a href={to} class="button quiet">
    {children}
  </a>
)

const Profile = ({ details, confirmed, methods }: AccountProps) => (
  <section class="card stack" aria-labelledby="profile">
    <div class="row apart">
      <div class="row profile">
        <AccountPicture details={details} />
        <div>
          <h2 id="profile">{details.username}</h2>
          <p class="facts-line">
            <span>{details.email}</span>
            <span>{details.documentsMade === 1 ? '1 document' : `${details.documentsMade} documents`}</span>
            <span>joined in {formatMonth(details.createdAt)}</span>
          </p>
        </div>
      </div>
      <QuietLink to="/account/profile">Edit profile</QuietLink>
    </div>
    {!confirmed && (
      <p>
        Your email address isn’t confirmed, so you can’t use document settings yet.{' '}
        {methods.sendEmail ? (
          'To confirm it, sign out and sign in again with the link we email you.'
        ) : (
          <>
            This server doesn’t send email, so <a href="/about#contact">ask us</a> to confirm it.
          </>
        )}
      </p>
    )}
  </section>
)

const DefaultsSetting = ({ defaults }: AccountProps) => (
  <Item title="Defaults" text="How your new documents start.">
    <OpenButton id="defaults" look="quiet">
      Change
    </OpenButton>
    <Dialog id="defaults" title="Defaults for new documents">
      <Form action="/account/defaults" button="Save defaults" cancel={<CancelButton id="defaults" />}>
        <SettingsFields values={defaults} />
      </Form>
    </Dialog>
  </Item>
)

const describeGitHub = ({ gitHub }: AccountDetails): Child => {
  if (gitHub === null) return 'GitHub isn’t connected.'
  const login = gitHub.login === null ? 'A GitHub account' : <strong>{gitHub.login}</strong>
  return (
    <>
      {login} signs you in{gitHub.gists ? ' and can publish documents as gists.' : '.'}
    </>
  )
}

const GitHubSetting = ({ details, methods, gitHubProblem }: AccountProps) =>
  methods.gitHub || details.gitHub ? (
    <Item title="GitHub" text={[describeGitHub(details)]}>
      {methods.gitHub && !details.gitHub?.gists && (
        <Form
          action="/account/github/connect"
          layout="inline"
          look="quiet"
          button={details.gitHub === null ? 'Connect GitHub' : 'Allow gists'}
        />
      )}
      {details.gitHub && (
        <Form
          action="/account/github/disconnect"
          layout="inline"
          look="quiet"
          button="Disconnect"
          label="Disconnect GitHub"
        />
      )}
      {gitHubProblem && <Problem id="github-problem">{gitHubProblem}</Problem>}
    </Item>
  ) : null

const SIGN_OUT_EVERYWHERE = '/account/sign-out-everywhere'

const SignOutEverywhere = ({ keys }: Pick<AccountProps, 'keys'>) =>
  keys.length === 0 ? (
    <Form action={SIGN_OUT_EVERYWHERE} layout="inline" look="quiet" button="Sign out everywhere" />
  ) : (
    <ConfirmationButton
      id="sign-out-everywhere"
      title="Sign out everywhere?"
      button="Sign out everywhere"
      action={SIGN_OUT_EVERYWHERE}
    >
      <p>
        You’re signed out on all devices, this one included. API keys keep working unless you revoke them.
      </p>
      <Checkbox name="revoke_keys">
        {keys.length === 1 ? 'Revoke my API key, too' : `Revoke my ${keys.length} API keys, too`}
      </Checkbox>
    </ConfirmationButton>
  )

const describeSessions = ({ sessions }: AccountDetails): string =>
  sessions === 1 ? 'Only this one is signed in.' : `${sessions} are signed in.`

export const AccountPage = (props: AccountProps) => (
  <Layout title="Account" signedIn scripts={[SCRIPTS.form]}>
    <div class="settings-page stack">
      <h1>Account</h1>
      {props.done && (
        <p class="banner" role="status">
          {props.done}
        </p>
      )}
      <Profile {...props} />
      <KeysSection keys={props.keys} now={props.now} newKey={props.newKey} />
      <Section id="settings" title="Settings">
        <Items>
          {props.admin && (
            <Item title="Moderation" text="Reports, removals, blocks and the audit log.">
              <QuietLink to="/moderation">Open</QuietLink>
            </Item>
          )}
          <DefaultsSetting {...props} />
          <GitHubSetting {...props} />
          <Item title="Your data" text="Your account and all your documents as a ZIP file.">
            <QuietLink to="/account/download">Download</QuietLink>
          </Item>
          <Item title="Devices" text={describeSessions(props.details)}>
            <SignOutEverywhere keys={props.keys} />
          </Item>
          <Item title="Delete account" text="You choose what happens to your documents.">
            <a href="/account/delete" class="button quiet danger">
              Delete account
            </a>
          </Item>
        </Items>
      </Section>
    </div>
  </Layout>
)

export interface ProfilePageProps {
  readonly details: AccountDetails
  readonly methods: SignInMethods
  readonly explore: boolean
  readonly problems?: { readonly username?: string | undefined; readonly email?: string | undefined }
  readonly typed?: string
}

const PublicProfile = ({ details: { username, hasProfile } }: Pick<ProfilePageProps, 'details'>) => (
  <Form action="/account/profile" button="Save" look="quiet">
    <Checkbox name="profile" checked={hasProfile}>
      Show a profile page
    </Checkbox>
    <p class="hint">
      {hasProfile ? <a href={getProfilePath(username)}>Your profile page</a> : 'A profile page'} lists your
      public documents. Others can see it only while you have some.
    </p>
  </Form>
)

export const ProfilePage = ({ details, methods, explore, problems, typed = '' }: ProfilePageProps) => (
  <Notice title="Your profile" signedIn scripts={[SCRIPTS.form]}>
    <Form action="/account/username" layout="field-row" button="Change" label="Change username" look="quiet">
      <UsernameField value={problems?.username ? typed : details.username} problem={problems?.username} />
    </Form>
    {methods.sendEmail ? (
      <Form action="/account/email" layout="field-row" button="Change" label="Change email" look="quiet">
        <EmailField
          value={problems?.email ? typed : details.email}
          hint="We’ll email a link to your current address, then one to the new address."
          problem={problems?.email}
        />
      </Form>
    ) : (
      <p>
        Your email address is {details.email}. This server doesn’t send email, so you can’t change it here.
      </p>
    )}
    <div class="row profile">
      <AccountPicture details={details} />
      {details.icon === null ? (
        <p>Your picture is generated. If you connect GitHub, we’ll use your picture from there.</p>
      ) : (
        <Form action="/account/picture" layout="inline" button="Use a generated picture" look="quiet" />
      )}
    </div>
    {explore && <PublicProfile details={details} />}
    <BackToAccount />
  </Notice>
)

export const DELETE_ACCOUNT_PATH = '/account/delete'

const BackToAccount = () => (
  <p>
    <a href="/account">Back to your account</a>
  </p>
)

export const DeleteAccountPage = ({ username }: { username: string }) => (
  <Notice title="Delete account" signedIn scripts={[SCRIPTS.form]}>
    <p>
      This deletes the account <strong>{username}</strong>. Your API keys stop working immediately, and you’re
      signed out everywhere. You can’t undo this, so <a href="/account/download">download your data</a> first
      if you want to keep it.
    </p>
    <Form action={DELETE_ACCOUNT_PATH} button="Delete account" look="danger">
      <Choices
        legend="Your documents"
        name="documents"
        value="delete"
        options={{ delete: 'Delete them', keep: 'Keep them, without an author' }}
        hint="If you keep them, nobody can edit or delete them."
      />
    </Form>
    <BackToAccount />
  </Notice>
)

interface ConfirmIdentityProps {
  readonly details: Pick<AccountDetails, 'email' | 'gitHub'>
  readonly methods: SignInMethods
}

export const ConfirmIdentityPage = ({ details: { email, gitHub }, methods }: ConfirmIdentityProps) => {
  const offered = { ...methods, gitHub: methods.gitHub && gitHub !== null }
  return (
    <Notice title="Confirm it’s you" signedIn scripts={[SCRIPTS.form]}>
      <p>Before you can delete your account, sign in again. Then you have {FRESH_SESSION_MINUTES} minutes.</p>
      <SignInForms methods={offered} returnTo={DELETE_ACCOUNT_PATH} email={email}>
        <p class="hint">We’ll email a link to {email}.</p>
      </SignInForms>
      {!offered.sendEmail && !offered.gitHub && (
        <p>
          This server doesn’t send email. <a href="/about#contact">Ask us</a> to delete your account.
        </p>
      )}
      <BackToAccount />
    </Notice>
  )
}

export const AccountDeletedPage = ({
  documents,
  finished,
}: {
  documents: 'delete' | 'keep'
  finished: boolean
}) => (
  <Notice title="Account deleted" signedIn={false}>
    <p role="status">
      {documents === 'keep' && 'Your documents are still there, without an author.'}
      {documents === 'delete' && finished && 'Your documents have been deleted, too.'}
      {documents === 'delete' &&
        !finished &&
        'Your documents are being deleted. They’ll be gone within a few minutes.'}
    </p>
  </Notice>
)
