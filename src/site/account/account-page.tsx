import type { ApiKey } from '../../accounts/keys/api-keys.ts'
import type { AccountDetails } from '../../accounts/profile/profile.ts'
import type { FormSettings } from '../../shared/form-settings.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { Section } from '../components/section.tsx'
import { Time } from '../components/time.tsx'
import { Layout } from '../layout/layout.tsx'
import { SettingsFields } from '../settings/settings-fields.tsx'
import type { SignInMethods } from '../sign-in/sign-in-methods.ts'
import { AccountPicture } from './account-picture.tsx'
import { KeysSection } from './keys-section.tsx'

/** What is wrong with a submitted form, by form. */
export interface AccountProblems {
  readonly key?: string | undefined
  readonly github?: string | undefined
}

interface AccountProps {
  readonly details: AccountDetails
  readonly keys: readonly ApiKey[]
  readonly defaults: FormSettings
  readonly methods: SignInMethods
  /** True if the email address is proven. */
  readonly confirmed: boolean
  /** True if the account may moderate. */
  readonly admin: boolean
  /** A key that was just created, shown only now. */
  readonly newKey?: string | undefined
  /** Says what was just done. */
  readonly done?: string | undefined
  readonly problems?: AccountProblems
  /** What was typed into the form that has a problem. */
  readonly typed?: string | undefined
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
          : 'This server doesn’t send email, so only its operator can confirm it.'}
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

const DangerSection = ({ details }: AccountProps) => (
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
        <form method="post" action="/account/sign-out-everywhere" class="inline">
          <button type="submit" class="quiet">
            Sign out everywhere
          </button>
        </form>
      </li>
      <li>
        <span>
          <strong>Delete account</strong>
          <br />
          You choose what happens to your documents.
        </span>
        <ConfirmationButton
          id="delete-account"
          title="Delete your account?"
          button="Delete account"
          action="/account/delete"
        >
          <DocumentsChoiceFields />
        </ConfirmationButton>
      </li>
    </ul>
  </Section>
)

/** Asks what happens to the documents of an account that is deleted. */
const DocumentsChoiceFields = () => (
  <>
    <p>Your API keys stop working immediately, and you’re signed out everywhere. You can’t undo this.</p>
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
