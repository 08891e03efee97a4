import type { ApiKey } from '../../accounts/keys/api-keys.ts'
import type { AccountDetails } from '../../accounts/profile/profile.ts'
import type { FormSettings } from '../../shared/form-settings.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { Section } from '../components/section.tsx'
import { Time } from '../components/time.tsx'
import { SettingsFields } from '../editing/settings-fields.tsx'
import { Layout } from '../layout/layout.tsx'
import type { Ways } from '../sign-in/auth-for-request.ts'
import { KeysSection } from './keys-section.tsx'
import { AccountPicture } from './profile-pages.tsx'

/** What is wrong with what was sent, by the form that it was sent with. */
export interface AccountProblems {
  readonly key?: string | undefined
  readonly github?: string | undefined
}

interface AccountProps {
  readonly details: AccountDetails
  readonly keys: readonly ApiKey[]
  readonly defaults: FormSettings
  readonly ways: Ways
  /** Whether the e-mail address is proven. */
  readonly confirmed: boolean
  /** Whether the account may decide about what others made. */
  readonly admin: boolean
  /** A key that was just made: shown this once. */
  readonly newKey?: string | undefined
  /** What was just done. */
  readonly done?: string | undefined
  readonly problems?: AccountProblems
  /** What was typed into the form whose problem is told. */
  readonly typed?: string | undefined
}

const ProfileSection = ({ details, confirmed, ways, admin }: AccountProps) => (
  <Section id="profile" title="Profile">
    <div class="profile">
      <AccountPicture details={details} />
      <p>
        <strong>{details.username}</strong>, {details.email}
        <br />
        {details.documentsMade === 1 ? '1 document' : `${details.documentsMade} documents`} made since{' '}
        <Time at={details.createdAt} />.
      </p>
    </div>
    {!confirmed && (
      <p>
        Your e-mail address is not confirmed, so you can not use settings of documents yet.{' '}
        {ways.sendMail
          ? 'Sign out, and in again by the link that is sent to it: that confirms it.'
          : 'This server sends no mail: only its operator can change that.'}
      </p>
    )}
    <p class="actions">
      <a href="/account/profile">Change your profile</a>
      {admin && <a href="/moderation">Reported documents</a>}
    </p>
  </Section>
)

const DefaultsSection = ({ defaults }: AccountProps) => (
  <Section id="defaults" title="New documents">
    <details>
      <summary>What a new document starts with</summary>
      <form method="post" action="/account/defaults">
        <SettingsFields values={defaults} />
        <button type="submit">Keep these settings</button>
      </form>
    </details>
  </Section>
)

const GitHubSection = ({ details, ways, problems }: AccountProps) =>
  ways.gitHub || details.gitHub ? (
    <Section id="github" title="GitHub">
      {problems?.github && (
        <p class="error" role="alert">
          {problems.github}
        </p>
      )}
      <p>
        {details.gitHub === null && 'GitHub is not connected.'}
        {details.gitHub && (
          <>
            Connected to <strong>{details.gitHub.login ?? 'an account'}</strong> at GitHub: you can sign in by
            it
            {details.gitHub.gists ? ', and make gists of documents.' : '. Gists are not allowed yet.'}
          </>
        )}
      </p>
      {ways.gitHub && !details.gitHub?.gists && (
        <form method="post" action="/account/github/connect">
          <button type="submit">Connect GitHub, with gists</button>
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

const DangerSection = ({ details }: AccountProps) => (
  <Section id="danger" title="Danger zone">
    <p>
      {details.sessions === 1
        ? 'You are signed in on no other browser.'
        : `You are signed in on ${details.sessions} browsers.`}
    </p>
    <form method="post" action="/account/sign-out-everywhere">
      <button type="submit" class="quiet">
        Sign out everywhere
      </button>
    </form>
    <div class="actions">
      <ConfirmationButton
        id="delete-account"
        title="Delete your account?"
        button="Delete account"
        action="/account/delete"
      >
        <DeletionChoice />
      </ConfirmationButton>
    </div>
  </Section>
)

/** What the deletion of an account asks. */
const DeletionChoice = () => (
  <>
    <p>All your keys and sessions stop at once. This can not be undone.</p>
    <fieldset>
      <legend>Your documents</legend>
      <label class="choice">
        <input type="radio" name="documents" value="delete" checked /> Delete them
      </label>
      <label class="choice">
        <input type="radio" name="documents" value="keep" /> Keep them, without a creator: nobody can change
        or delete them any more
      </label>
    </fieldset>
  </>
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
    <KeysSection keys={props.keys} newKey={props.newKey} problem={props.problems?.key} typed={props.typed} />
    <DefaultsSection {...props} />
    <GitHubSection {...props} />
    <DangerSection {...props} />
  </Layout>
)
