import type { Child } from 'hono/jsx'
import type { Defaults } from '../accounts/defaults.ts'
import type { ApiKey } from '../accounts/keys.ts'
import type { AccountDetails } from '../accounts/profile.ts'
import { SCRIPTS } from './assets.generated.ts'
import type { Ways } from './auth.ts'
import { ConfirmationButton } from './components/confirmation.tsx'
import { Cell } from './components/document-table.tsx'
import { Field } from './components/fields.tsx'
import { SettingsFields } from './components/settings-fields.tsx'
import { Time } from './components/time.tsx'
import { Layout } from './layout.tsx'
import { Picture } from './profile-pages.tsx'

/** What is wrong with what was sent, by the form that it was sent with. */
export interface AccountProblems {
  readonly key?: string
  readonly github?: string
}

interface AccountProps {
  readonly details: AccountDetails
  readonly keys: readonly ApiKey[]
  readonly defaults: Defaults
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

const Section = ({ id, title, children }: { id: string; title: string; children: Child }) => (
  <section aria-labelledby={id} class="section">
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

const ProfileSection = ({ details, confirmed, ways, admin }: AccountProps) => (
  <Section id="profile" title="Profile">
    <div class="profile">
      <Picture details={details} />
      <p>
        <strong>{details.username}</strong>, here since <Time at={details.createdAt} />.
        <br />
        {details.documentsMade === 1 ? '1 document' : `${details.documentsMade} documents`} made.{' '}
        {details.email}
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

const NewKey = ({ newKey }: { newKey: string }) => (
  <div class="banner">
    <p role="status">Here is your new key. Copy it now: it is never shown again.</p>
    <p class="key">
      <code id="new-key">{newKey}</code>
    </p>
    <button type="button" hidden data-copy="new-key" data-copied="key-copied">
      Copy
    </button>
    <span id="key-copied" role="status" />
  </div>
)

const KeyRow = ({ apiKey: { id, name, createdAt, lastUsedAt } }: { apiKey: ApiKey }) => (
  <tr>
    <th scope="row">{name}</th>
    <Cell column="Made">
      <Time at={createdAt} />
    </Cell>
    <Cell column="Last used">{lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />}</Cell>
    <td>
      <ConfirmationButton
        id={`revoke-${id}`}
        title={`Revoke the key “${name}”?`}
        button="Revoke"
        action={`/account/keys/${id}/revoke`}
      >
        <RevokeWords />
      </ConfirmationButton>
    </td>
  </tr>
)

const RevokeWords = () => <p>Whatever uses it stops working at once. A key can not be brought back.</p>

const KeysSection = ({ keys, newKey, problems, typed }: AccountProps) => (
  <Section id="keys" title="API keys">
    {newKey !== undefined && <NewKey newKey={newKey} />}
    {keys.length > 0 && (
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Made</th>
            <th scope="col">Last used</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow apiKey={key} />
          ))}
        </tbody>
      </table>
    )}
    <form method="post" action="/account/keys#keys">
      <Field
        label="Name"
        name="name"
        autocomplete="off"
        maxlength={100}
        hint="What the key is for, such as “laptop”: to tell it from others."
        problem={problems?.key}
        {...(problems?.key && typed !== undefined && { value: typed })}
      />
      <button type="submit">Create key</button>
    </form>
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
  <Layout title="Account" signedIn scripts={[SCRIPTS.once, SCRIPTS.copy]}>
    <h1>Account</h1>
    {props.done && (
      <p class="banner" role="status">
        {props.done}
      </p>
    )}
    <ProfileSection {...props} />
    <KeysSection {...props} />
    <DefaultsSection {...props} />
    <GitHubSection {...props} />
    <DangerSection {...props} />
  </Layout>
)
